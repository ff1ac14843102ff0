// A list of any length: only the visible rows are in the page.

const HEIGHT = 58;
// Browsers don't support much higher elements.
const HIGHEST = 16_000_000;

export class List {
    /** `row(item)` makes the content of a row's button; `choose(item)` is called when it is pressed. */
    constructor(element, row, choose) {
        [this.element, this.row, this.choose] = [element, row, choose];
        this.items = [];
        this.current = null;
        this.list = document.createElement("ol");
        element.append(this.list);
        element.addEventListener("scroll", () => this.fill(), { passive: true });
        new ResizeObserver(() => this.fill()).observe(element);
        element.addEventListener("keydown", (event) => this.move(event));
    }

    show(items) {
        this.items = items.slice(0, HIGHEST / HEIGHT);
        this.list.style.height = this.items.length * HEIGHT + "px";
        this.element.scrollTop = 0;
        this.fill(true);
    }

    /** Marks an item, and scrolls to it. */
    mark(item) {
        this.current = item;
        const place = this.items.indexOf(item);
        const { scrollTop, clientHeight } = this.element;
        if (place >= 0 && (place * HEIGHT < scrollTop || (place + 1) * HEIGHT > scrollTop + clientHeight)) {
            this.element.scrollTop = place * HEIGHT - clientHeight / 3;
        }
        this.fill(true);
    }

    fill(isNew = false) {
        const { scrollTop, clientHeight } = this.element;
        const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - 6);
        const end = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / HEIGHT) + 6);
        if (!isNew && first === this.first && end === this.end) { return; }
        const focused = document.activeElement?.closest?.("li")?.dataset.place;
        const holdsFocus = this.list.contains(document.activeElement);
        [this.first, this.end] = [first, end];
        this.list.replaceChildren(...this.items.slice(first, end).map((item, offset) => this.line(item, first + offset)));
        if (holdsFocus) { this.list.querySelector(`li[data-place="${focused}"] button`)?.focus({ preventScroll: true }); }
    }

    line(item, place) {
        const line = document.createElement("li");
        line.style.top = place * HEIGHT + "px";
        line.dataset.place = place;
        line.setAttribute("aria-posinset", place + 1);
        line.setAttribute("aria-setsize", this.items.length);
        if (item === this.current) { line.setAttribute("aria-current", "true"); }
        const button = document.createElement("button");
        button.type = "button";
        button.append(...this.row(item));
        button.addEventListener("click", () => this.choose(item));
        line.append(button);
        return line;
    }

    move(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const place = Number(document.activeElement?.closest?.("li")?.dataset.place);
        if (!step || Number.isNaN(place)) { return; }
        event.preventDefault();
        const next = Math.max(0, Math.min(this.items.length - 1, place + step));
        const { scrollTop, clientHeight } = this.element;
        if (next * HEIGHT < scrollTop) { this.element.scrollTop = next * HEIGHT; }
        if ((next + 1) * HEIGHT > scrollTop + clientHeight) { this.element.scrollTop = (next + 1) * HEIGHT - clientHeight; }
        this.fill(true);
        this.list.querySelector(`li[data-place="${next}"] button`)?.focus({ preventScroll: true });
    }
}
