// Views of pictures in panels.

import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { type Options, PictureView } from "pspge/picture/picture-view.js";
import { useChanges } from "pspge/widgets/panel.js";

/** Creates a view of pictures. It calls the listeners that were given last, and follows the theme. */
export function usePictureView(options: Options): PictureView {
  const latest = useRef(options);
  latest.current = options;
  const [view] = useState(
    () =>
      new PictureView({
        label: options.label,
        onhover: (position) => latest.current.onhover?.(position),
        onpick: (x, y) => latest.current.onpick?.(x, y),
        onchange: () => latest.current.onchange?.(),
      }),
  );
  useLayoutEffect(() => view.schedule(), [useChanges("theme")]);
  return view;
}
