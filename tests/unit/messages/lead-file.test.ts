import { describe, expect, test } from 'vitest'
import {
  fileKey,
  findLeadFile,
  leadFileKeys,
  leadFilesProblem,
} from '#lib/domain/messages/attached/lead-file'

const MIB = 1024 * 1024
const named = (...names: string[]) => names.map((filename, i) => ({ attachment_id: `${i}`, filename }))
const sized = (...files: [string, number][]) =>
  files.map(([filename, size_bytes], i) => ({ attachment_id: `${i}`, filename, size_bytes }))

test.each([
  ['Ada.PDF', 'ada.pdf'],
  ['  Ada.pdf \r\n', 'ada.pdf'],
  ['C:\\offers\\Ada.pdf', 'ada.pdf'],
  ['https://files.test/offers/Ada.pdf', 'ada.pdf'],
  ['Zoe\u0308.pdf', 'zo\u00eb.pdf'],
  ['ÉCLAIR.pdf', 'Éclair.pdf'],
  ['offers/', ''],
  ['', ''],
])('%j is looked for as %j', (text, expected) => {
  expect(fileKey(text)).toBe(expected)
})

describe('the file of a lead', () => {
  const keys = leadFileKeys(named('Ada.pdf', 'bob.pdf', 'bob.docx', 'carl', 'carl.txt', '.hidden'))
  const find = (pdf: unknown) => findLeadFile({ column: 'pdf' }, keys, { pdf })
  test.each([
    ['Ada.pdf', '0'],
    ['ada', '0'],
    ['x/ADA.PDF', '0'],
    ['bob.docx', '2'],
    ['bob', null],
    ['carl', '3'],
    ['carl.txt', '4'],
    ['', null],
    [' ', null],
    ['.hidden', '5'],
    ['nobody.pdf', null],
    [null, null],
    [undefined, null],
    [{ ada: 1 }, null],
  ])('of %j is %j', (cell, expected) => {
    expect(find(cell)).toBe(expected)
  })

  test('may be called by a number', () => {
    expect(findLeadFile({ column: 'no' }, leadFileKeys(named('17.pdf')), { no: 17 })).toBe('0')
  })
})

describe('files of leads', () => {
  test('need names that differ in more than their case', () => {
    expect(leadFilesProblem(sized(['Ada.pdf', 1], ['ada.PDF', 1]), [])).toContain('ada.PDF')
    expect(leadFilesProblem(sized(['Ada.pdf', 1], ['ada.txt', 1]), [])).toBeNull()
  })

  test('fit one by one beside those that all leads get', () => {
    const three = sized(['a', 9 * MIB], ['b', 9 * MIB], ['c', 9 * MIB])
    expect(leadFilesProblem(three, [{ size_bytes: 5 * MIB }])).toBeNull()
    expect(leadFilesProblem(three, [{ size_bytes: 8 * MIB }])).toContain('the limit of 20 MB')
    expect(leadFilesProblem(sized(['a', 1]), Array(10).fill({ size_bytes: 1 }))).toContain('10 files')
  })
})
