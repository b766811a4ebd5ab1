"use strict";

const REFRESH_MS = 2000;
const STALE_MS = 30000;
const FLOWING = ["OK"];
const MIDDLING = ["CATCHING_UP", "HELD_BY_TRANSACTION", "BACKPRESSURE", "UNKNOWN"];
const charts = new Map();

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function bytes(value) {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)) + " " + units[unit];
}

function duration(seconds) {
  if (seconds < 120) return Math.round(seconds) + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  if (seconds < 172800) return Math.round(seconds / 3600) + " h";
  return Math.round(seconds / 86400) + " days";
}

function tone(state) {
  if (FLOWING.includes(state) || state === "RUNNING") return "good";
  return MIDDLING.includes(state) ? "middling" : "bad";
}

function figures(slot) {
  const list = [
    ["WAL held", bytes(slot.retained_bytes)],
    ["Unconfirmed", bytes(slot.unconfirmed_bytes)],
    ["Lag", (slot.lag_at_least ? "at least " : "") + duration(slot.lag_seconds)],
    ["Forecast", slot.eta_seconds === null ? "nothing foreseeable" : slot.eta_event + " in " + duration(slot.eta_seconds)],
  ];
  if (slot.heartbeat_age_seconds !== undefined) list.push(["Newest heartbeat", duration(slot.heartbeat_age_seconds)]);
  if (slot.dead_letters_per_minute !== undefined) {
    list.push(["Dead letters a minute", slot.dead_letters_per_minute.toFixed(1)]);
  }
  if (slot.outbox) {
    list.push(["Outbox", bytes(slot.outbox.bytes) + ", about " + slot.outbox.estimated_rows + " rows"]);
  }
  return list;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function chartData(slot) {
  const behind = new Map(slot.unconfirmed.map(([time, value]) => [time, value]));
  return [
    slot.retained.map(([time]) => time / 1000),
    slot.retained.map(([, value]) => value),
    slot.retained.map(([time]) => behind.get(time) ?? null),
  ];
}

function newChart(holder, slot) {
  const axis = { stroke: () => colour("--quiet"), grid: { stroke: () => colour("--line") } };
  return new uPlot({
    width: holder.clientWidth,
    height: 200,
    series: [
      {},
      { label: "WAL held", stroke: () => colour("--held"), width: 2, points: { show: false }, value: (u, v) => v == null ? "" : bytes(v) },
      { label: "Unconfirmed", stroke: () => colour("--behind"), width: 2, points: { show: false }, value: (u, v) => v == null ? "" : bytes(v) },
    ],
    scales: { y: { range: (u, low, high) => [0, Math.max(high * 1.1, 1024)] } },
    axes: [axis, { ...axis, size: 85, values: (u, values) => values.map(bytes) }],
  }, chartData(slot), holder);
}

function showSlot(slot) {
  const key = slot.database + "/" + slot.slot;
  let card = document.querySelector(`article[data-key="${CSS.escape(key)}"]`);
  if (!card) {
    card = element("article");
    card.dataset.key = key;
    card.tabIndex = 0;
    card.append(element("div", "words"), element("div", "chart"));
    document.getElementById("slots").append(card);
  }
  const title = element("div", "title");
  title.append(element("h3", "", key), element("span", "state " + tone(slot.state), slot.state));
  const words = [title, element("p", "cause", slot.cause + ", for " + duration((Date.now() - slot.since) / 1000) + ".")];
  if (slot.next) words.push(element("p", "next", slot.next));
  const numbers = element("dl");
  for (const [name, value] of figures(slot)) {
    const pair = element("div");
    pair.append(element("dt", "", name), element("dd", "", value));
    numbers.append(pair);
  }
  words.push(numbers);
  card.setAttribute("aria-label", key + " " + slot.state);
  card.querySelector(".words").replaceChildren(...words);
  if (!slot.retained || slot.retained.length < 2) return;
  const holder = card.querySelector(".chart");
  if (charts.has(key)) {
    charts.get(key).setData(chartData(slot));
  } else {
    charts.set(key, newChart(holder, slot));
  }
}

function showList(id, items, nothing) {
  const list = document.getElementById(id);
  list.replaceChildren(...(items.length ? items : [element("li", "quiet", nothing)]));
}

function alertItem(alert) {
  const item = element("li");
  item.append(
    element("span", "state " + (alert.severity === "page" ? "bad" : "middling"), alert.name),
    element("p", "", alert.summary + " (" + alert.about + "), for " + duration((Date.now() - alert.since) / 1000) + ". "
      + alert.detail));
  return item;
}

function connectorItem(connector) {
  const item = element("li");
  const title = element("div", "title");
  title.append(
    element("h3", "", connector.cluster + "/" + connector.connector),
    element("span", "state " + tone(connector.state), connector.state));
  item.append(title);
  if (connector.cause) item.append(element("p", "", connector.cause));
  for (const task of connector.tasks) {
    const line = element("p");
    line.append("Task " + task.id + " ", element("span", "state " + tone(task.state), task.state));
    if (task.cause) line.append(": " + task.cause);
    item.append(line);
  }
  return item;
}

function show(detail) {
  const freshness = document.getElementById("freshness");
  if (detail.time === 0) {
    freshness.textContent = "Waiting for the first sample";
    return;
  }
  const age = Date.now() - detail.time;
  freshness.className = age > STALE_MS ? "stale" : "";
  freshness.textContent = age > STALE_MS ? "The last sample is " + duration(age / 1000) + " old" : "Up to date";
  detail.slots.forEach(showSlot);
  showList("alerts", detail.alerts.map(alertItem), "None.");
  showList("connectors", detail.connectors.map(connectorItem), "None is watched.");
  const findings = detail.databases.flatMap(database => database.preflight.map(what => database.database + ": " + what));
  document.getElementById("settings-section").hidden = findings.length === 0;
  showList("settings", findings.map(what => element("li", "", what)), "None.");
}

async function refresh() {
  try {
    const response = await fetch("api/detail", { cache: "no-store" });
    if (!response.ok) throw new Error("HTTP " + response.status);
    show(await response.json());
  } catch (failure) {
    const freshness = document.getElementById("freshness");
    freshness.className = "stale";
    freshness.textContent = "The monitor does not answer. What is below may be old.";
  }
  setTimeout(refresh, REFRESH_MS);
}

addEventListener("resize", () => charts.forEach(chart =>
  chart.setSize({ width: chart.root.parentElement.clientWidth, height: 200 })));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach(chart => chart.redraw()));
refresh();
