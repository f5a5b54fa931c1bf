//! Checks tables: batches must be bounded, complete and equal on every run, and the reference page must have all
//! columns.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use ge_tests::{mutate, sample, snapshot, table_rows};
use pspge::table::{self, FrameFile, FrameRow, SCHEMA, Table, TableOptions};
use pspge::{Asset, Limit, Limits, RunSpec};

/// Draws two rectangles; the first is the second's texture.
const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x10000 | ZBUFWIDTH width=64
    SCISSOR2 x=63 y=31 | REGION2 x=63 y=31 | BASE hi(corners)
    VTYPE texcoord=BITS16 position=BITS16 through=1 | MATERIALAMBIENT #ff8000 | MATERIALALPHA 255
    VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4
    TEXSIZE0 width_log2=4 height_log2=4 | TEXFUNC function=REPLACE use_alpha=1 | TEXFLUSH
    VADDR lo(below) | PRIM primitive=RECTANGLES count=2
    FINISH | END
    .align 4
    corners: .s16 0 0 0 0 0 | .s16 8 4 8 4 0
    below: .s16 0 0 16 16 0 | .s16 8 4 24 20 0
";

/// Returns an asset's batches by table, and the row for its frame.
fn batches(
    asset: &Asset,
    options: &TableOptions,
) -> (BTreeMap<Table, Vec<arrow_array::RecordBatch>>, FrameRow) {
    let mut batches: BTreeMap<Table, Vec<_>> = BTreeMap::new();
    let file = FrameFile::new("list.ge", LIST.as_bytes());
    let row = table::write(asset, &file, options, &mut |table, batch| {
        assert_eq!(batch.schema(), table.schema(), "{table}: the schema");
        batches.entry(table).or_default().push(batch);
        ControlFlow::Continue(())
    });
    (batches, row.expect("rows"))
}

fn asset() -> Asset {
    pspge::open("list.ge", LIST.as_bytes()).expect("a list")
}

#[test]
fn tables_have_the_rows_that_the_run_counts() {
    let options = TableOptions::default().tables(Table::ALL);
    let (batches, row) = batches(&asset(), &options);
    let run = row.run.expect("a run");
    let count = |table: Table| batches[&table].iter().map(|batch| batch.num_rows() as u64).sum::<u64>();
    assert_eq!((count(Table::Commands), count(Table::Draws)), (run.commands, run.draws), "commands, draws");
    assert_eq!((count(Table::Vertices), run.vertices), (4, 4), "vertices");
    assert_eq!((count(Table::Textures), run.textures), (1, 1), "the buffer as a texture");
    assert_eq!(count(Table::Pixels), 64 * 272, "the framebuffer, up to the height of the screen");
    let draws = table_rows::rows(&batches[&Table::Draws]);
    let pixels: Vec<_> = draws.iter().map(|draw| draw["pixels"].clone()).collect();
    assert_eq!(pixels, [32, 32], "pixels of each draw");
    assert_eq!(run.pixels, 64, "and of all");
    let orange = |row: &&table_rows::Row| row["red"] == 255 && row["green"] == 128 && row["stencil"] == 0;
    let pixels = table_rows::rows(&batches[&Table::Pixels]);
    assert_eq!(pixels.iter().filter(orange).count(), 64, "pixels of the picture");
    let texture = &table_rows::rows(&batches[&Table::Textures])[0];
    assert_eq!((&texture["rendered"], &texture["draws"]), (&true.into(), &[1].as_slice().into()), "its use");
    assert_eq!(texture["hash"], draws[1]["texture_hash"], "the texels that the draw samples");
    let info = row.info.expect("the contents");
    assert_eq!((info.draws, info.vertices, info.commands), (Some(2), Some(4), Some(run.commands)), "figures");
}

#[test]
fn batches_are_bounded() {
    let all = TableOptions::default().tables(Table::ALL);
    let small = all.clone().rows_per_batch(3);
    let ((large_batches, large_row), (small_batches, small_row)) =
        (batches(&asset(), &all), batches(&asset(), &small));
    assert_eq!(large_row, small_row, "the row of the frame");
    for (table, batches) in &small_batches {
        assert!(batches.iter().all(|batch| (1..=3).contains(&batch.num_rows())), "{table}");
        assert_eq!(table_rows::rows(batches), table_rows::rows(&large_batches[table]), "{table}: equal rows");
    }
    assert!(small_batches[&Table::Commands].len() > 5, "several batches");
}

#[test]
fn only_wanted_tables_are_made() {
    let options = TableOptions::default().tables([Table::Textures]);
    let (batches, row) = batches(&asset(), &options);
    assert_eq!(batches.keys().collect::<Vec<_>>(), [&Table::Textures], "one table");
    assert_eq!(row.run.map(|run| run.vertices), Some(4), "the figures are complete");
}

#[test]
fn receiver_can_stop_the_run() {
    let endless = b"BASE hi(again)\nagain: NOP | JUMP lo(again)";
    let asset = pspge::open("loop.ge", endless).expect("a list");
    let options = TableOptions::default().rows_per_batch(10);
    let mut count = 0;
    let row = table::write(&asset, &FrameFile::new("loop.ge", endless), &options, &mut |_, _| {
        count += 1;
        ControlFlow::Break(())
    });
    let run = row.expect("a row").run.expect("a run");
    assert_eq!((count, run.commands), (1, 10), "no batch after the first");
}

#[test]
fn limits_end_the_run_with_a_note() {
    let endless = b"BASE hi(again)\nagain: NOP | JUMP lo(again)";
    let asset = pspge::open("loop.ge", endless).expect("a list");
    let render = RunSpec::default().limits(Limits::default().with(Limit::Commands, 100));
    let options = TableOptions::default().render(render);
    let (batches, row) = batches(&asset, &options);
    let commands: usize = batches[&Table::Commands].iter().map(arrow_array::RecordBatch::num_rows).sum();
    assert_eq!(commands, 100, "the commands up to the limit");
    let frames = FrameRow::batch(&[row]).expect("a batch");
    let frame = &table_rows::rows([&frames])[0];
    assert_eq!(frame["run_ending"], "limit-reached", "the end");
    assert_eq!(frame["notes"][0]["code"], "limit", "its note");
}

/// This always damages the bundled samples, and the corpus's files if `PSPGE_CORPUS` is set.
#[test]
fn damaged_files_have_rows() {
    let seeds = mutate::seeds();
    let limits = Limits::default().with(Limit::Pixels, 2_000_000).with(Limit::Vertices, 200_000);
    let options = TableOptions::default().tables(Table::ALL).render(RunSpec::default().limits(limits));
    let (mut drawn, mut refused) = (0, 0);
    for number in 0..150 {
        let damaged = mutate::damaged(&seeds, 3, number).expect("at least one sample");
        let request = pspge::Request { limits, ..pspge::Request::new(&damaged.name, &damaged.bytes) };
        let Ok(asset) = pspge::open_with(&request) else {
            refused += 1;
            continue;
        };
        let mut draws = 0;
        let file = FrameFile::new(&damaged.name, &damaged.bytes);
        let row = table::write(&asset, &file, &options, &mut |table, batch| {
            draws += if table == Table::Draws { batch.num_rows() as u64 } else { 0 };
            ControlFlow::Continue(())
        });
        let row = row.unwrap_or_else(|error| panic!("{}: {error}", damaged.name));
        assert_eq!(row.run.map_or(0, |run| run.draws), draws, "{}: a row for each draw", damaged.name);
        assert!(FrameRow::batch(&[row]).is_ok(), "{}: its own row", damaged.name);
        drawn += 1;
    }
    assert!(drawn > 15 && refused > 15, "{drawn} drawn, {refused} refused");
}

#[test]
fn files_without_a_list_have_a_row() {
    let bytes = sample::read("swatches.tm2");
    let asset = pspge::open("swatches.tm2", &bytes).expect("textures");
    let none = &mut |table, _| panic!("{table} has no rows");
    let row = table::write(&asset, &FrameFile::new("swatches.tm2", &bytes), &TableOptions::default(), none);
    let frames = FrameRow::batch(&[row.expect("a row")]).expect("a batch");
    let frame = &table_rows::rows([&frames])[0];
    assert_eq!((&frame["status"], &frame["content"]), (&"nothing".into(), &"textures".into()), "its kind");
    assert_eq!(frame["run_draws"], serde_json::Value::Null, "it is not run");
    assert!(frame["textures"].as_u64().is_some_and(|textures| textures > 0), "its textures count");
}

#[test]
fn schemas_describe_themselves() {
    for table in Table::ALL {
        let schema = table.schema();
        let metadata = |key: &str| schema.metadata().get(key).cloned();
        assert_eq!(metadata("pspge.schema").as_deref(), Some(SCHEMA), "{table}: version");
        assert_eq!(metadata("pspge.table").as_deref(), Some(table.name()), "{table}: name");
        let first: Vec<_> = schema.fields().iter().take(3).map(|field| field.name().as_str()).collect();
        assert_eq!(first, ["frame", "file_hash", "member"], "{table}: the key");
        for field in schema.fields() {
            let description = field.metadata().get("description").map_or("", String::as_str);
            assert!(description.ends_with('.'), "{table}.{}: a sentence", field.name());
        }
        let mut names: Vec<_> = schema.fields().iter().map(|field| field.name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), schema.fields().len(), "{table}: names are different");
    }
}

/// After you change the columns, run this test with `INSTA_UPDATE=always` to rewrite the page.
#[test]
fn reference_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/guides/table_columns.md");
    let page = fs::read_to_string(&path).expect("the page");
    let updated = format!(
        "# Columns of the tables\n\n`pspge table` and [`table::write`](crate::table::write) make these tables; [the guide]\
         (crate::guides::tables) has questions to them. All are of the schema `{SCHEMA}`.\n\n{}\n",
        table::reference().trim_end()
    );
    if updated != page && snapshot::accepts_changes() {
        fs::write(&path, &updated).expect("the page can be written");
        return;
    }
    let line = page.lines().zip(updated.lines()).find(|(old, new)| old != new);
    assert!(updated == page, "the page is stale, for example {line:#?}; INSTA_UPDATE=always rewrites it");
}
