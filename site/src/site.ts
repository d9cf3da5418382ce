/** What every page does: colours, the list of pages on a phone, copying of programs, search. */
import "./site.css";
import { openSearch } from "./search-box.js";

const root = document.documentElement;

function showTheme(button: HTMLButtonElement): void {
  const dark = root.dataset.theme === "dark";
  button.textContent = dark ? "☀" : "☾";
  button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
}

function setUpTheme(): void {
  const button = document.querySelector<HTMLButtonElement>("button.theme")!;
  showTheme(button);
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("expen-theme", root.dataset.theme);
    } catch {
      // a page that may store nothing keeps the choice until it is left
    }
    showTheme(button);
  });
}

/** On a narrow screen the list of pages opens by a button. */
function setUpMenu(): void {
  const button = document.querySelector<HTMLButtonElement>("button.menu");
  button?.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu-open");
    button.setAttribute("aria-expanded", String(open));
  });
}

function addCopyButtons(): void {
  for (const box of document.querySelectorAll<HTMLElement>(".program:not(.declaration)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(box.querySelector("pre")!.textContent ?? "");
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed here";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    box.append(button);
  }
}

/** The playground loads modules, which a page that is opened as a file may not. */
function explainPlayground(): void {
  if (location.protocol !== "file:") return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href$="play/index.html"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      alert("The playground needs a web server: start it with npm run playground, or serve these pages.");
    });
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function setUpSearch(): void {
  document.querySelector("button.open-search")!.addEventListener("click", () => void openSearch());
  document.addEventListener("keydown", (event) => {
    const asked = event.key === "/" ? !isTyping(event.target) : event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!asked) return;
    event.preventDefault();
    void openSearch();
  });
}

setUpTheme();
setUpMenu();
addCopyButtons();
explainPlayground();
setUpSearch();
