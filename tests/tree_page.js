// Runs the script of a page of `compact-se tree --html` on as much of a document as it needs, and
// prints what a reader would see, as JSON: `node tree_page.js page.html [word to search for]`.
"use strict";
const page = require("fs").readFileSync(process.argv[2], "utf8");
const script = page.match(/<script>\n([^]*?)<\/script>/)[1];
const data = page.match(/<script id="data" type="application\/json">([^]*?)<\/script>/)[1];

class Element {
  constructor(name) {
    this.name = name;
    this.attributes = new Map();
    this.listeners = new Map();
    this.children = [];
    this.checked = false;
    this.style = {};
    this.dataset = {};
    this.scrollLeft = this.scrollTop = 0;
    const element = this;
    const classes = () => new Set((this.className || "").split(" ").filter(word => word));
    const keep = all => { element.className = [...all].join(" "); };
    this.classList = {
      add(word) { keep(classes().add(word)); },
      remove(...words) { const all = classes(); words.forEach(word => all.delete(word)); keep(all); },
      contains(word) { return classes().has(word); },
      toggle(word, on) { const all = classes(); if (on) all.add(word); else all.delete(word); keep(all); },
    };
  }
  get className() { return this.attributes.get("class") || ""; }
  set className(value) { this.attributes.set("class", value); }
  get id() { return this.attributes.get("id"); }
  set id(value) { this.attributes.set("id", value); }
  get textContent() { return this.children.map(child => typeof child === "string" ? child : child.textContent).join(""); }
  set textContent(value) { this.children = [String(value)]; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, listener) { this.listeners.set(name, listener); }
  getBoundingClientRect() { return { width: 1000, height: 700 }; }
  scrollIntoView() {}
  focus() {}
  *all() {
    yield this;
    for (const child of this.children) if (child instanceof Element) yield* child.all();
  }
}

const body = new Element("body");
for (const [, name, id] of page.split("<script")[0].matchAll(/<(\w+)[^>]* id="([\w-]+)"/g)) {
  const made = new Element(name);
  made.id = id;
  made.checked = page.includes(`id="${id}" type="checkbox" checked`);
  body.append(made);
}
const dataElement = new Element("script");
dataElement.id = "data";
dataElement.textContent = data;
body.append(dataElement);
const byId = id => [...body.all()].find(element => element.id === id) ?? null;
global.document = {
  documentElement: body,
  getElementById: byId,
  querySelector(selector) {
    const words = selector.split(".").filter(word => word);
    return [...body.all()].find(element => words.every(word => element.classList.contains(word))) ?? null;
  },
  createElement: name => new Element(name),
  createElementNS: (_, name) => new Element(name),
};
global.matchMedia = () => ({ matches: false });
(0, eval)(script);

const withClass = word => [...body.all()].filter(element => element.classList.contains(word));
const title = element => element.children.find(child => child.name === "title").textContent;
const seen = () => ({
  labels: withClass("node").map(node => node.children.filter(child => child.name === "text").map(text => text.textContent)),
  conditions: withClass("edge-label").map(label => label.children[0]),
  selected: withClass("selected").map(title),
  way: withClass("way").filter(element => element.classList.contains("node")).map(title),
  lines: withClass("way").filter(element => element.name === "div").map(line => line.textContent),
  here: withClass("here").map(line => line.textContent),
  hits: withClass("hit").length,
  found: byId("found").textContent,
  details: byId("details").textContent,
});
const first = seen();
let searched = null;
if (process.argv[3]) {
  const search = byId("search");
  search.value = process.argv[3];
  search.oninput();
  const count = byId("found").textContent;
  search.onkeydown({ key: "Enter", preventDefault() {} });
  searched = { count, ...seen() };
}
byId("in-c").checked = false;
byId("in-c").onchange();
const byPapers = seen();
// These only must not fail.
for (const button of ["open", "fold", "next-target", "next-failed", "theme"]) byId(button).onclick();
console.log(JSON.stringify({ first, searched, byPapers }));
