/** The length of each input in characters; a field that allows fewer refuses it, which is a valid result too. */
export const SIZE = 200_000

const UNITS: Record<string, string> = {
  'one letter': 'a',
  blanks: ' ',
  'line ends': '\n',
  'letter and tag': 'a <b>',
  paragraphs: '<p>a</p>',
  'tags never closed': '<a ',
  comments: '<!--',
  'merge fields': '{{a}}',
  'fields on lines': '\n{{ a }}',
  'conditions inside each other': '{% if a %}',
  spintax: '{a|b',
  'an unsubscribe wish': 'dear ,,,',
  'marks of an address': 'a@',
  'signs of base64': '=',
  exclamations: '!!!',
  brackets: '[[',
  quotes: '> "',
  'full stops': 'a.',
}

/** Each unit by its name, repeated up to SIZE. */
export const INPUTS = Object.entries(UNITS).map(([name, unit]) => ({
  name,
  text: unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE),
}))
