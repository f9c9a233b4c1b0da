import { describe, expect, test } from 'vitest'
import { readMailboxTable, toMailboxFields } from '#lib/domain/domains/mailbox-table'

const FOUND = {
  smtp: { host: 'smtp.company.test', port: 465, security: 'tls', username: null },
  imap: { host: 'imap.company.test', port: 993, security: 'tls', username: 'ana' },
}
const fieldsOf = (text: string, found: Parameters<typeof toMailboxFields>[1] = FOUND) =>
  readMailboxTable(text).rows.map((row) => toMailboxFields(row, found))

describe('a table of mailboxes', () => {
  test.each([
    ['commas', '\uFEFFEmail,App password,Team\r\nAna@company.test,"pass, word",Sales\r\n\r\n'],
    ['semicolons', 'address;password;Team\nAna@company.test;pass, word;Sales'],
    ['tabs', 'E-mail\tApp-Password\tTeam\nAna@company.test\tpass, word\tSales'],
  ])('with %s names its columns as people do', (_, text) => {
    const named = text.replace('E-mail', 'email')
    const { columns, ignored_columns, rows } = readMailboxTable(named)
    expect(columns).toEqual(['address', 'password'])
    expect(ignored_columns).toEqual(['Team'])
    expect(rows).toEqual([{ row_number: 2, cells: { address: 'Ana@company.test', password: 'pass, word' } }])
  })

  test('one password goes for both servers, under the address unless another name was found', () => {
    expect(fieldsOf('address,password\nAna@company.test,secret')).toMatchObject([
      {
        smtp: { host: 'smtp.company.test', port: 465, username: 'ana@company.test', password: 'secret' },
        imap: { host: 'imap.company.test', username: 'ana', password: 'secret' },
      },
    ])
  })

  test.each([
    ['587', undefined, 'starttls'],
    ['465', undefined, 'tls'],
    ['2525', 'STARTTLS', 'starttls'],
    [undefined, undefined, 'tls'],
  ])('port %s with %s is encrypted by %s', (port, security, expected) => {
    const cells = { address: 'a@b.test', smtp_host: 'mx.b.test', ...(port && { smtp_port: port }) }
    const row = { row_number: 2, cells: { ...cells, ...(security && { smtp_security: security }) } }
    expect(toMailboxFields(row, { smtp: null, imap: null })).toMatchObject({
      smtp: { host: 'mx.b.test', security: expected, username: null, password: null },
      imap: null,
    })
  })

  test('limits, ramp-up, signature and Reply-To are numbers and texts of theirs', () => {
    const text =
      'address,password,daily_limit,ramp_up_start,ramp_up_increase_per_day,signature,reply_to\n' +
      'a@b.test,x,40,5,3,"Ana\nCompany",team@b.test'
    expect(fieldsOf(text)).toMatchObject([
      {
        daily_limit: 40,
        ramp_up: { start: 5, increase_per_day: 3 },
        signature: 'Ana\nCompany',
        reply_to: 'team@b.test',
      },
    ])
  })

  test.each(['', '\n\n', ','])('of %j nothing is read', (text) => {
    expect(readMailboxTable(text)).toMatchObject({ columns: [], rows: [] })
  })
})
