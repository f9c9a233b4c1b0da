/** A record's own value under a name from outside; undefined if it has none, although every object inherits some (`constructor`). */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
