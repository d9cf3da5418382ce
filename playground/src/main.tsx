import { render } from "preact";
import { App } from "./app.js";
import { loadCatalogue } from "./client.js";
import "./style.css";

render(<App />, document.getElementById("app")!);
loadCatalogue();
