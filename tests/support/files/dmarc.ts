import { crc32, deflateRawSync } from 'node:zlib'

type Record = { ip: string; count: number | string; spf?: string; dkim?: string; disposition?: string }

export const dmarcRecord = ({ ip, count, spf = 'pass', dkim = 'pass', disposition = 'none' }: Record) => `
  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated>
    </row>
    <identifiers><header_from>sender.test</header_from></identifiers>
    <auth_results>
      <dkim><domain>sender.test</domain><result>${dkim}</result></dkim>
      <spf><domain>sender.test</domain><result>${spf}</result></spf>
    </auth_results>
  </record>`

type Given = { domain?: string; id?: string; begins?: Date; records?: string[] }

/** As the large receivers write one. */
export function aDmarcReport({
  domain = 'sender.test',
  id = '8293631894893125362',
  begins = new Date('2026-03-01T00:00:00Z'),
  records = [dmarcRecord({ ip: '192.0.2.1', count: 4 })],
}: Given = {}) {
  const begin = begins.getTime() / 1_000
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>Google &amp; Co</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <report_id>${id}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><pct>100</pct></policy_published>
  ${records.join('\n')}
</feedback>
`
}

/** A zip (APPNOTE 4.3) of these files. */
export function zipOf(files: { [name: string]: Uint8Array }): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), shared, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end])
}
