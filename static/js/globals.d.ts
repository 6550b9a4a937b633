// What reaches the script from outside: htmx, the build, and the properties that we set on elements.

import type { HtmxAjaxOptions, HtmxRequestCtx, HtmxResponse, HtmxSwapContext, Htmx as PublicHtmx } from 'htmx.org';
import type { Pending } from './server/message_order.js';
import type { Member } from './core/rows.js';

declare global {
  /** Given by build/bundle.mjs: htmx as a function, and the address of the script of acts. */
  const newHtmx: () => Htmx;
  const ACTS_FILE: string;
  const STAFF_FILE: string;

  interface Window {
    /** Any version of it, or none. */
    htmx?: any;
  }

  /** htmx 4 with what its own types leave out. */
  interface Htmx extends Omit<PublicHtmx, 'swap'> {
    ajax(method: string, address: string, options: HtmxAjaxOptions & { fetch: typeof fetch }): Promise<void>;
    swap(context: Omit<HtmxSwapContext, 'sourceElement'> & { sourceElement: Element | null; root?: HTMLElement; again?: boolean }): Promise<void>;
    indicatorStyleSheet?: CSSStyleSheet;
  }

  /** What htmx knows about a request or a swap; `root`, `act`, `form`, `alert`, `again` and `events` are ours. */
  interface HtmxContext extends HtmxRequestCtx {
    /** How far the request is: `swapped` when its answer is on the screen. */
    status: string;
    response: HtmxResponse;
    /** The `HX-*` headers of the answer. */
    hx: { trigger?: string | null; retarget?: string | null; reswap?: string };
    /** The component that asks; none when the host does. */
    get root(): HTMLElement;
    set root(root: HTMLElement | null | undefined);
    /** Set while an act awaits its answer. */
    act?: Pending;
    /** The form that the act was sent from. */
    form?: Element;
    /** The alert of an answer whose form is no longer shown. */
    alert?: Element | null;
    /** Whether the message has been applied before. */
    again?: boolean;
    /** Our events out of `HX-Trigger`: name and detail. */
    events?: [string, any][];
  }

  /** One part of an answer, and where htmx puts it. */
  interface HtmxTask {
    type: string;
    target: Element;
    fragment: DocumentFragment;
    swapSpec: { style: string; ctx?: HtmxContext };
  }

  /** What htmx hands to `init` of an extension, as far as we use it. */
  interface HtmxApi {
    morph(there: Element, fragment: DocumentFragment, innerHtml: boolean): void;
  }

  /** A request that the custom element can sign. */
  interface Signable {
    action: string;
    headers: Record<string, string>;
    credentials?: RequestCredentials;
  }

  interface HTMLElementTagNameMap {
    'chat-group-members': HTMLElement & { sign(request: Signable): void };
  }

  /** Elements have it; documents, windows and texts do not. */
  interface EventTarget {
    closest?<E extends Element = Element>(selectors: string): E | null;
  }

  /** HTML, SVG and MathML: every element of a page has `dataset`, `focus` and `tabIndex`. */
  interface Element extends HTMLOrSVGElement {
    cloneNode(subtree?: boolean): this;
    getRootNode(): Document | ShadowRoot;
    /** The state of a component, see core/component.js. */
    memory?: import('./core/component.js').Memory;
    /** When the row was painted first where it came or moved last, by the clock of `performance.now`; Infinity until then. */
    movedAt: number;
    /** The position of a list in the page when it was measured last, pixels. */
    topBefore: number;
    /** Where a script has scrolled the box to, pixels. */
    scrolledTo: number;
  }

  interface Node {
    /** Of undefined it says what it says of null: false. */
    contains(other: Node | null | undefined): boolean;
  }

  /** Attributes that the templates write on each element the script reads them from, or whose absence it tests first. */
  interface DOMStringMap {
    connect: string;
    count: string;
    detail: string;
    found: string;
    heading: string;
    href: string;
    live: string;
    name: string;
    note: string;
    order: string;
    query: string;
    scope: string;
    text: string;
    uid: string;
  }

  interface NamedNodeMap {
    readonly 'hx-get'?: Attr;
  }

  interface HTMLLinkElement {
    /** Settles when the style sheet is there, or cannot be had. */
    loaded?: unknown;
  }

  interface HTMLElement {
    /** For scripts of the host, see docs/selection.md. */
    chatGroupMembers?: {
      selected(): Member[];
      select(uid: string): void;
      deselect(uid: string): void;
      clearSelection(): void;
    };
    addEventListener<E extends Event>(type: string, listener: (event: E) => unknown, options?: boolean | AddEventListenerOptions): void;
  }

  /** The listener's parameter says which event it is, and what its target is. */
  interface Document {
    addEventListener<E extends Event>(type: string, listener: (event: E) => unknown, options?: boolean | AddEventListenerOptions): void;
  }

  /** An event with the type of its target. */
  type From<E extends Event, T extends EventTarget = HTMLElement> = { readonly target: T } & E;
}
