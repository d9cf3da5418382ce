/** Header, the four views, notices. */
import { lazy, Suspense } from "preact/compat";
import { go, VIEWS, type View, view } from "./address.js";
import { catalogue, notice } from "./client.js";
import { dark, toggleTheme } from "./theme.js";
import { Race } from "./views/race.js";

const views = {
  race: Race,
  manifold: lazy(() => import("./views/manifold.js")),
  own: lazy(() => import("./views/own.js")),
  learn: lazy(() => import("./views/learn.js")),
} satisfies Record<View, unknown>;

const titles: Record<View, string> = {
  race: "Race",
  manifold: "See the manifold",
  own: "Your own",
  learn: "Learn",
};

export function App() {
  const current = view.value;
  const Shown = views[current];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header>
        <h1>
          expen <span>min f(X) over XᵀX = I</span>
        </h1>
        <nav aria-label="Views">
          {VIEWS.map((name) => (
            <a
              key={name}
              href={`#/${name}`}
              aria-current={name === current ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                go(name);
              }}
            >
              {titles[name]}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="quiet theme"
          onClick={toggleTheme}
          aria-label={dark.value ? "Light colours" : "Dark colours"}
        >
          {dark.value ? "☀" : "☾"}
        </button>
      </header>
      {notice.value && (
        <div class="notice" role="alert">
          <span>{notice.value}</span>
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => (notice.value = "")}>
            ×
          </button>
        </div>
      )}
      <main id="main" tabIndex={-1} data-ready={catalogue.value ? "yes" : "no"}>
        <h2 class="sr-only">{titles[current]}</h2>
        <Suspense fallback={<p class="status">Loading …</p>}>
          <Shown />
        </Suspense>
      </main>
      <footer>
        Everything is computed in your browser; nothing is sent anywhere. The penalty is h(X) = f(X(3/2·I − 1/2·XᵀX)) +
        β/4·‖XᵀX − I‖² by Xiao and Liu.
      </footer>
    </>
  );
}
