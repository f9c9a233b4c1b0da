import { xlsxOf, zipOf } from '#tests/support/files/zip'
import { joined, type Target, textsOf } from '#tests/support/fuzz/target'
import { promiseOfSheet } from '#tests/support/fuzz/targets/sheets'

const XML = [
  '<',
  '>',
  '/>',
  '="',
  '"',
  '&amp;',
  '&#0;',
  '&#x1F;',
  '&#xD800;',
  '&lt',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<!DOCTYPE a [<!ENTITY x "y">]>',
  '&x;',
  'xmlns:x="',
  '__proto__',
  '_x0000_',
  '_x000D_',
  '\0',
  '1e308',
  '-0',
  'NaN',
  '99999999999',
]

/** The XML parts of a workbook inside an intact zip: changed bytes of the zip itself would never reach them. */
export const xlsxParts: Target = {
  name: 'xlsx-parts',
  max: 32 * 1024,
  slow_ms: 5_000,
  seeds: () => [
    joined(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Name</t></is></c></row><row r="2"><c r="A2"><v>45000.5</v></c><c r="B2" t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2026-03-02</v></c><c s="1"><v>1.5</v></c></row>',
      '<si><t xml:space="preserve">Email</t></si><si><r><t>a</t></r><rPh><t>x</t></rPh></si>',
      '[$-409]d/m/yy h:mm;@',
      '<sheet name="T" sheetId="2" state="hidden" r:id="rId1"/>',
    ),
    joined(
      '<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      '',
      '0.00E+00',
      '',
    ),
  ],
  words: [
    ...XML,
    '\x1e',
    '<row>',
    '</row>',
    '<row r="',
    '<c r="',
    'XFD1048576',
    '<c t="s">',
    't="inlineStr"',
    't="str"',
    't="d"',
    's="1"',
    '<v>',
    '</v>',
    '<is><t>',
    '<si><t>',
    '<r><t>',
    '<rPh>',
    '<f>',
    '<mergeCell ref="A1:B2"/>',
    '<sheet name="',
    'r:id="rId1"',
    'state="veryHidden"',
    '[Red]',
    '[h]:mm:ss',
    '# ?/?',
    '\\',
    '@',
    'General',
    '[>=100]0;0',
    'yyyy',
    'AM/PM',
  ],
  run(input) {
    const [rows = '', shared_strings = '', format = '', sheets = ''] = textsOf(input, 4)
    const number_formats = { 164: format.slice(0, 400) }
    return promiseOfSheet(
      xlsxOf({ rows, shared_strings, styles: [0, 164], number_formats, sheets }),
      'a.xlsx',
    )
  },
}

/** OpenDocument, which SheetJS reads. */
export const odsParts: Target = {
  name: 'xml-parts',
  max: 16 * 1024,
  is_contained: true,
  seeds: () => [
    '<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>Email</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1.5"><text:p>1.5</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2026-03-02"/></table:table-row></table:table>',
    '<table:table table:name="__proto__"><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="4" office:value-type="percentage" office:value="0.1"/><table:covered-table-cell/></table:table-row></table:table>',
  ],
  words: [
    ...XML,
    '<table:table table:name="',
    '<table:table-row>',
    '</table:table-row>',
    '<table:table-cell ',
    'office:value-type="',
    'office:value="',
    'table:number-rows-repeated="',
    'table:number-columns-repeated="',
    '<text:p>',
    '<text:s text:c="9"/>',
    '<text:line-break/>',
    'table:formula="of:=1',
    '<office:annotation>',
    'table:style-name="',
  ],
  run(input) {
    const [tables = ''] = textsOf(input, 1)
    const content = `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
    const mimetype = {
      name: 'mimetype',
      content: 'application/vnd.oasis.opendocument.spreadsheet',
      stored: true,
    }
    return promiseOfSheet(zipOf([mimetype, { name: 'content.xml', content }]), 'a.ods')
  },
}
