// picture/picture-host.tsx
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { PictureView } from "pspge/picture/picture-view.js";
import { useChanges } from "pspge/widgets/panel.js";
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
