// The textures that a file stores, as pictures, each with a choice of its palettes.

import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import type { TextureInfo } from "pspge/documents.js";
import { paint } from "pspge/picture/paint.js";
import type { App } from "pspge/state/app-types.js";
import { messageOf } from "pspge/state/engine.js";
import { IconButton, Select, useMore } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";

/** How many pictures are shown at first, and more each time. */
const SHOWN = 48;

/** Shows the textures of the file, or of the member that is shown. */
export function StoredTextures({ app, textures }: { app: App; textures: readonly TextureInfo[] }) {
  const [shown, more] = useMore(textures, SHOWN);
  return (
    <div class="stored-textures">
      <ul aria-label="Textures">
        {shown.map((texture, at) => <StoredTexture key={`${app.input?.name} ${at}`} {...{ app, texture, at }} />)}
      </ul>
      {more}
    </div>
  );
}

function StoredTexture({ app, texture, at }: { app: App; texture: TextureInfo; at: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [palette, setPalette] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const name = texture.name || `texture ${texture.index}`;
  useLayoutEffect(() => {
    let isWanted = true;
    const show = async () => {
      const { part, input } = app.store.run();
      const { json, bytes } = await app.engine.request({ request: "stored-texture", run: { input, part: part ?? null }, texture: at, palette });
      if (isWanted && canvas.current) {
        paint(canvas.current, json.width, json.height, bytes, true);
      }
    };
    setProblem(null);
    show().catch((error: unknown) => isWanted && setProblem(messageOf(error)));
    return () => {
      isWanted = false;
    };
  }, [app, at, palette]);
  const palettes = [...Array(texture.palettes).keys()].map(String);
  return (
    <li class="stored-texture">
      <div class="texture-frame">
        {problem === null ? <canvas ref={canvas} width={0} height={0} role="img" aria-label={`${name}, palette ${palette}`} /> : <p class="problem">{problem}</p>}
      </div>
      <span class="stored-name" title={name}>{name}</span>
      <span class="muted">{`${texture.width}×${texture.height} ${texture.format}`}</span>
      <span class="stored-tools">
        {palettes.length > 1 && <Select label="Palette" choices={palettes} chosen={String(palette)} onChoose={(value) => setPalette(Number(value))} />}
        <IconButton name="save" label={`Save ${name} as PNG`} onClick={() => void saveCanvas(app, name.replace(/[^\p{L}\p{N}_-]+/gu, "_"), canvas.current)} />
      </span>
    </li>
  );
}
