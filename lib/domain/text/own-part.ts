/** A part of what strangers named: nothing where it has none, though every object inherits parts (`constructor`). */
export const ownPart = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
