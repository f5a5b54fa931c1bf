//! Compares the layers at a single pixel: those the GE shows, and those a viewer for model files shows.

use crate::ge::never::OrNever;

/// Everything about a draw that matters to its layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DrawRule {
    /// Whether lower layers shine through.
    pub(super) blends: bool,
    /// Whether nearer layers hide it.
    pub(super) tests: bool,
    /// Whether it hides farther layers that are drawn later.
    pub(super) writes: bool,
    /// Whether it clears the pixel, and so is no draw in the scene.
    pub(super) clears: bool,
}

/// A draw at a single pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    /// Index of the draw's rule.
    pub(super) draw: u32,
    /// Larger is nearer to the camera.
    pub(super) nearness: f32,
    /// Depth in the depth buffer.
    pub(super) z: u16,
    /// Whether it passes the depth test.
    pub(super) passes: bool,
}

/// How the GE's picture depends on the drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Difference {
    /// The draw covers a nearer draw, or a farther draw covers it.
    Depth,
    /// It lies at the same depth as another draw.
    EqualDepth,
    /// It blends with a draw that blends, too.
    Blending,
}

/// Two layers count as equally near if they differ by no more than this fraction.
const SAME_NEARNESS: f32 = 1e-6;

/// Adds a layer on top. This drops layers that neither the GE nor a viewer shows.
pub(super) fn add_layer(layers: &mut Vec<Layer>, layer: Layer, rules: &[DrawRule]) {
    let rule = rule_of(rules, &layer);
    let is_nearest = |other: &Layer| layer.nearness > other.nearness;
    if !layer.passes {
        // If a nearer opaque layer hides it in a viewer too, it never shows.
        if layers.iter().filter(|other| !rule_of(rules, other).blends).all(is_nearest) {
            layers.push(layer);
        }
        return;
    }
    if !rule.blends && !rule.clears {
        layers.retain(|other| !is_nearest(other));
    }
    layers.push(layer);
}

/// Compares the GE's layers with a viewer's, and reports each draw at fault to `blame`.
pub(super) fn compare(layers: &[Layer], rules: &[DrawRule], blame: &mut dyn FnMut(u32, Difference)) {
    let is_opaque = |layer: &Layer| !rule_of(rules, layer).blends;
    let shown = layers.iter().rposition(|layer| is_opaque(layer) && layer.passes);
    let solid = layers.iter().filter(|layer| is_opaque(layer) && !rule_of(rules, layer).clears);
    let nearest = solid.clone().max_by(|a, b| a.nearness.total_cmp(&b.nearness));
    if let (Some(base), Some(nearest)) = (shown.and_then(|shown| layers.get(shown)), nearest) {
        if base.nearness < nearest.nearness {
            let (draw, difference) = at_fault(base, nearest, rules);
            blame(draw, difference);
        } else if solid.filter(|layer| is_as_near(layer, base)).count() > 1 {
            blame(base.draw, Difference::EqualDepth);
        }
    }
    // Blended layers show if no opaque layer covers them: by order in the GE, by depth in a viewer.
    let mut blended = 0;
    for (index, layer) in layers.iter().enumerate().filter(|(_, layer)| !is_opaque(layer)) {
        let is_hidden = shown.is_some_and(|shown| index < shown) || !layer.passes;
        let cover = nearest.filter(|nearest| nearest.nearness >= layer.nearness);
        match (is_hidden, cover) {
            (true, None) => {
                // The GE covers this layer, although it is nearer.
                let base = shown.and_then(|shown| layers.get(shown)).unwrap_or(layer);
                let (draw, difference) = at_fault(base, layer, rules);
                blame(draw, difference);
            }
            (false, Some(cover)) => {
                let (draw, difference) = at_fault(layer, cover, rules);
                blame(draw, difference);
            }
            (true, Some(_)) | (false, None) => {}
        }
        if !is_hidden {
            if blended > 0 {
                blame(layer.draw, Difference::Blending);
            }
            blended += 1;
        }
    }
}

/// Decides which draw to blame if the GE shows `shown` over `nearer`, although a viewer would not.
fn at_fault(shown: &Layer, nearer: &Layer, rules: &[DrawRule]) -> (u32, Difference) {
    let (over, under) = (rule_of(rules, shown), rule_of(rules, nearer));
    // A depth with 16 bits cannot tell them apart.
    if is_as_near(shown, nearer) || shown.z.abs_diff(nearer.z) <= 1 && !over.clears {
        return (shown.draw.max(nearer.draw), Difference::EqualDepth);
    }
    let draw = if !under.writes || over.clears {
        nearer.draw
    } else if !over.tests {
        shown.draw
    } else {
        shown.draw.max(nearer.draw)
    };
    (draw, Difference::Depth)
}

fn is_as_near(a: &Layer, b: &Layer) -> bool {
    (a.nearness - b.nearness).abs() <= SAME_NEARNESS * a.nearness.abs().max(b.nearness.abs())
}

fn rule_of(rules: &[DrawRule], layer: &Layer) -> DrawRule {
    rules.get(layer.draw as usize).copied().or_never("each draw has a rule")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: DrawRule = DrawRule { blends: false, tests: true, writes: true, clears: false };
    const FREE: DrawRule = DrawRule { tests: false, writes: false, ..PLAIN };
    const GLASS: DrawRule = DrawRule { blends: true, writes: false, ..PLAIN };
    const CLEAR: DrawRule = DrawRule { clears: true, ..PLAIN };

    /// Draws layers with these rules and distances. A layer passes unless its draw tests and a nearer layer was
    /// written. Returns the draws at fault.
    fn faults(draws: &[(DrawRule, f32)]) -> Vec<(u32, Difference)> {
        let rules: Vec<DrawRule> = draws.iter().map(|(rule, _)| *rule).collect();
        let mut layers = Vec::new();
        let mut depth = 0.0_f32;
        for (draw, (rule, distance)) in (0..).zip(draws) {
            let nearness = if rule.clears { 0.0 } else { distance.recip() };
            let passes = !rule.tests || rule.clears || nearness >= depth;
            if rule.clears {
                depth = 0.0;
            } else if passes && rule.writes {
                depth = nearness;
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 60,000")]
            let z = (nearness * 60_000.0) as u16;
            add_layer(&mut layers, Layer { draw, nearness, z, passes }, &rules);
        }
        let mut faults = Vec::new();
        compare(&layers, &rules, &mut |draw, difference| faults.push((draw, difference)));
        faults
    }

    #[test]
    fn depth_alone_explains_plain_pictures() {
        for draws in [
            &[(PLAIN, 5.0), (PLAIN, 2.0), (PLAIN, 9.0)][..],
            &[(FREE, 9.0), (FREE, 5.0), (FREE, 2.0)],
            &[(PLAIN, 5.0), (GLASS, 2.0), (GLASS, 9.0)],
            &[(GLASS, 9.0), (PLAIN, 2.0)],
            &[(PLAIN, 9.0), (CLEAR, 0.0)][1..],
            &[],
        ] {
            assert_eq!(faults(draws), [], "{draws:?}");
        }
    }

    #[test]
    fn draws_without_depth_are_at_fault() {
        assert_eq!(
            faults(&[(FREE, 1.0), (PLAIN, 5.0)]),
            [(0, Difference::Depth)],
            "a sky that is drawn first"
        );
        assert_eq!(
            faults(&[(PLAIN, 1.0), (FREE, 5.0)]),
            [(1, Difference::Depth)],
            "a mark that is drawn over all"
        );
        let glass_over_all = DrawRule { tests: false, ..GLASS };
        assert_eq!(faults(&[(PLAIN, 1.0), (glass_over_all, 5.0)]), [(1, Difference::Depth)], "a glow");
        assert_eq!(faults(&[(GLASS, 1.0), (PLAIN, 5.0)]), [(0, Difference::Depth)], "glass behind a wall");
        assert_eq!(faults(&[(PLAIN, 5.0), (CLEAR, 0.0)]), [(0, Difference::Depth)], "wiped out");
        assert_eq!(
            faults(&[(PLAIN, 1.0), (CLEAR, 0.0), (PLAIN, 5.0)]),
            [(2, Difference::Depth)],
            "a second scene over the first"
        );
    }

    #[test]
    fn equal_depth_is_told_apart() {
        assert_eq!(faults(&[(PLAIN, 2.0), (PLAIN, 2.0)]), [(1, Difference::EqualDepth)], "a decal");
        assert_eq!(faults(&[(PLAIN, 2.0), (GLASS, 2.0)]), [(1, Difference::EqualDepth)], "a shadow");
        assert_eq!(faults(&[(FREE, 2.0), (FREE, 2.000_02)]), [(1, Difference::EqualDepth)], "within 16 bits");
    }

    #[test]
    fn blended_layers_need_an_order() {
        let glow = DrawRule { tests: false, ..GLASS };
        let draws = [(PLAIN, 9.0), (glow, 5.0), (GLASS, 2.0), (GLASS, 3.0)];
        assert_eq!(
            faults(&draws),
            [(2, Difference::Blending), (3, Difference::Blending)],
            "all but the first"
        );
    }
}
