import { bringsReports } from '#lib/domain/domains/attached-reports'
import { receiverResults } from '#lib/domain/domains/authentication-results'
import type { DmarcReport } from '#lib/domain/domains/dmarc-report'
import { findReceiver } from '#lib/domain/domains/receiver'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { type MailReader, readReportMail } from '#lib/services/reading/mail'

type Arrived = { workspace_id: string; address: string; mail: InboundMail; raw: Uint8Array }

/** The DMARC reports in a mail. Anybody can send one, so a mail that its receiving server found to be forged is ignored. */
export async function reportedIn(
  { workspace_id, address, mail, raw }: Arrived,
  reader?: MailReader,
): Promise<DmarcReport[]> {
  if (!bringsReports(mail)) return []
  const seen = receiverResults(mail.headers, findReceiver(address, null))
  if (seen?.dmarc?.result === 'fail') return []
  return (await readReportMail(workspace_id, raw, reader)) ?? []
}
