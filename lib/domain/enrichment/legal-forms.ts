/**
 * Legal forms at the end of a company's name, in their usual spelling: the most frequent ones in lead lists, by no means all
 * (ISO 20275 lists thousands). Compared without dots, blanks and case; longer ones first.
 */
export const LEGAL_FORMS =
  `Inc.|Incorporated|Corp.|Corporation|Co.|Company|LLC|L.L.C.|Limited Liability Company|LP|LLP|LLLP|PLLC|PC|PBC|
Ltd.|Limited|Ltd Liability Co|Co. Ltd.|Co. Limited|Company Limited|PLC|CIC|Pty Ltd|Pty Limited|Pty|Pvt Ltd|Pvt. Limited|Private Limited|
GmbH|gGmbH|GmbH & Co. KG|GmbH & Co. KGaA|GmbH & Co. OHG|GesmbH|mbH|UG|UG (haftungsbeschränkt)|AG|AG & Co. KG|AG & Co. KGaA|KG|KGaA|OHG|GbR|e.K.|e.Kfm.|e.V.|eG|eGen|SE|SE & Co. KG|SE & Co. KGaA|
SA|S.A.|SAS|SASU|SARL|S.à r.l.|EURL|SNC|SCS|SCI|SCOP|S.p.A.|S.r.l.|Srls|S.n.c.|S.a.s.|S.L.|S.L.U.|S.A.U.|S.Coop.|
S.A. de C.V.|S. de R.L. de C.V.|S.A.C.|S.A.S.|Ltda.|Lda.|EIRELI|ME|BV|B.V.|NV|N.V.|VOF|CV|BVBA|SPRL|SRL|ASBL|VZW|
AB|AB (publ)|HB|KB|A/S|ApS|IVS|I/S|K/S|AS|ASA|ANS|Oy|Oyj|Ky|Ab Oy|OÜ|UAB|SIA|
Sp. z o.o.|Sp. z o.o. Sp. k.|Sp. k.|Sp. j.|S.C.|s.r.o.|spol. s r.o.|a.s.|v.o.s.|k.s.|d.o.o.|d.d.|j.d.o.o.|Kft.|Zrt.|Nyrt.|Bt.|EOOD|OOD|EAD|AD|
S.R.L.|A.Ş.|Ltd. Şti.|San. ve Tic. A.Ş.|San. ve Tic. Ltd. Şti.|ООО|ЗАО|ОАО|ПАО|АО|ИП|ТОВ|ПрАТ|ΑΕ|ΕΠΕ|ΟΕ|
Sdn Bhd|Sdn. Bhd.|Bhd|Pte Ltd|Pte. Ltd.|PT|Tbk|K.K.|KK|G.K.|GK|FZE|FZCO|FZ-LLC|DMCC|WLL|W.L.L.|EST|SAE|PJSC|JSC|OJSC|CJSC|Trust|Foundation`
    .split('|')
    .map((form) => form.trim())

/** Forms that precede the name. */
export const LEADING_FORMS = [
  'ООО',
  'ЗАО',
  'ОАО',
  'ПАО',
  'АО',
  'ИП',
  'ТОВ',
  'PT',
  'UAB',
  'SIA',
  'AB',
  '株式会社',
  '合同会社',
  '有限会社',
  '(株)',
  '㈱',
]

/** Forms written without a space at either end of a Japanese or Chinese name. */
export const GLUED_FORMS = [
  '株式会社',
  '合同会社',
  '有限会社',
  '(株)',
  '（株）',
  '㈱',
  '有限公司',
  '股份有限公司',
  '有限责任公司',
  '주식회사',
  '(주)',
  '㈜',
]
