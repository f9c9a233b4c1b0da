import { createHash } from 'node:crypto'

/** The number that is kept of a mail which its API names by a text. */
export const toUid = (id: string): bigint =>
  BigInt.asUintN(63, createHash('sha256').update(id).digest().readBigUInt64BE())
