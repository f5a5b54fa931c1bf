// The help of the filter of events: a button with a table of its terms.

import { TERMS } from "pspge/events/event-filter.js";
import { Heads, Link } from "pspge/widgets/controls.js";
import { closeMenu, Menu } from "pspge/widgets/menu.js";

/** The button with the help of the filter. `onChoose` is called with the term that is chosen as an example. */
export function FilterHelp({ onChoose }: { onChoose: (example: string) => void }) {
  return (
    <Menu label="?" title="Terms of the filter" menuClass="menu filter-help" button={{ class: "icon-button", "aria-label": "Terms of the filter" }}>
      <p>Words and terms; an event has to meet all of them. A minus in front negates: <code class="nowrap">-is:clear</code>.</p>
      <table>
        <Heads class="visually-hidden" names={["Term", "Meaning"]} />
        <tbody>
          {TERMS.map(({ example, text }) => (
            <tr>
              <td>
                <Link
                  class="mono"
                  onClick={(event) => {
                    closeMenu(event);
                    onChoose(example);
                  }}
                >
                  {example}
                </Link>
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Menu>
  );
}
