// picture-host.tsx
import { useChanges } from "pspge/panel.js";
import { PictureView } from "pspge/picture-view.js";
import { useLayoutEffect, useRef, useState } from "pspge/preact.js";
function usePictureView(options) {
  const latest = useRef(options);
  latest.current = options;
  const [view] = useState(
    () => new PictureView({
      label: options.label,
      onhover: (position) => latest.current.onhover?.(position),
      onpick: (x, y) => latest.current.onpick?.(x, y),
      onchange: () => latest.current.onchange?.()
    })
  );
  useLayoutEffect(() => view.schedule(), [useChanges("theme")]);
  return view;
}
export {
  usePictureView
};
