import { createHash } from 'node:crypto'

/** The uid stored for a mail whose API id is a text. */
export const toUid = (id: string): bigint =>
  BigInt.asUintN(63, createHash('sha256').update(id).digest().readBigUInt64BE())
