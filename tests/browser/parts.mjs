// How the parts of a list look: their sizes and computed styles, to compare one page with another.

/** What is on the screen by itself, where people are selected, with a menu, and with a dialog: selectors inside the component. */
export const PARTS = {
  list: {
    root: '',
    header: '__header',
    title: '__title',
    totals: '__totals',
    search: '__search',
    glass: '__search svg',
    box: '__search input',
    filter: '__filters a',
    scroller: '__scroll',
    list: '__list',
    heading: '__heading h3',
    row: '__row',
    avatar: '__row > b',
    status: '__row b > i',
    who: '__row > div',
    name: '__name',
    subtitle: '__row p',
    badge: '__row small',
    pill: '__held button',
    button: '__more',
  },
  selection: {
    'box that is ticked': '__select:checked',
    'box that is not': '__select:not(:checked)',
    bar: '__selection',
    count: '__selection output',
    act: '__buttons button[name="act"]',
    clear: '__buttons button[type="reset"]',
    done: '__button--primary',
  },
  menu: {
    menu: '__menu',
    entry: '__menu a',
  },
  dialog: {
    dialog: '__dialog',
    question: '__dialog h2',
    hint: '__dialog p',
    label: '__dialog label',
    field: '__dialog textarea',
    legend: '__dialog legend',
    chip: '__dialog fieldset span',
    cancel: '__buttons a',
    send: '__buttons button',
  },
};

const PROPERTIES =
  `display position box-sizing font-family font-size font-weight font-style line-height letter-spacing text-transform text-align text-decoration-line text-indent list-style-type
  color background-color background-image opacity box-shadow border-top-width border-top-style border-inline-start-width border-top-left-radius
  padding-top padding-right padding-bottom padding-left margin-top margin-right margin-bottom margin-left min-height max-width`.split(/\s+/);

/** Sizes and computed styles of the parts that are on the screen now. */
export const looks = (viewer, parts) =>
  viewer.page.evaluate(
    ([parts, all]) =>
      Object.fromEntries(
        Object.entries(parts).flatMap(([name, selector]) => {
          let properties = all;
          const element = document.querySelector(`.chat-group-members${selector}`);
          const style = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          // The style of a line that is not there.
          if (style.borderTopWidth === '0px') properties = properties.filter((property) => property !== 'border-top-style');
          // A box has no text.
          if (element.type === 'checkbox') properties = properties.filter((property) => !/^(font|line|letter|text|color)/.test(property));
          return [
            [`${name} size`, `${width.toFixed(1)} × ${height.toFixed(1)}`],
            ...properties.map((property) => [`${name} ${property}`, style.getPropertyValue(property)]),
          ];
        }),
      ),
    [parts, PROPERTIES],
  );
