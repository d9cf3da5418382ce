import { answer } from "./main.js";

const options = new URLSearchParams(location.search);
document.title = await answer(options.get("where"), options.get("engine"), options.get("threads"));
