/** "deliveries" to "delivery"; the nouns of lists are all regular, but for people. */
const toSingular = (noun: string) =>
  noun
    .replace(/^people$/, 'person')
    .replace(/ies$/, 'ys')
    .replace(/(ss|x)es$/, '$1s')
    .replace(/s$/, '')

/** "1 address", "1,240 addresses"; of a list that is counted no further than `most`, "10,000+ people". */
export const counted = (count: number, noun: string, most?: number) =>
  `${count.toLocaleString('en')}${count === most ? '+' : ''} ${count === 1 ? toSingular(noun) : noun}`
