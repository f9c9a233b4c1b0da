/** "deliveries" to "delivery"; all nouns of lists are regular except "people". */
const toSingular = (noun: string) =>
  noun
    .replace(/^people$/, 'person')
    .replace(/ies$/, 'ys')
    .replace(/(ss|x)es$/, '$1s')
    .replace(/s$/, '')

/** "1 address", "1,240 addresses"; for lists counted only up to `most`, "10,000+ people". */
export const counted = (count: number, noun: string, most?: number) =>
  `${count.toLocaleString('en')}${count === most ? '+' : ''} ${count === 1 ? toSingular(noun) : noun}`
