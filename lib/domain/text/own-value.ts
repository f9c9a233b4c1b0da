/** A part of what strangers named: nothing where it has none, though every object inherits parts (`constructor`). */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
