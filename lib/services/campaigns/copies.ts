import type { z } from 'zod'
import type { DuplicateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { DbNull, storableJson } from '#lib/db/json'
import { copyName } from '#lib/domain/text/copy-name'
import type { Maker } from '#lib/domain/workspaces/maker'
import { getCampaign, typedCampaign } from '#lib/services/campaigns/campaigns'

/**
 * Creates a draft with the same settings. A template that no longer exists stays referenced, so that the launch checks report it. Removed
 * mailboxes are left out; if none is left, all of the owner's may send.
 */
export async function duplicateCampaign(
  { workspace_id, user_id }: Maker,
  campaignId: string,
  { name }: z.output<typeof DuplicateCampaign.body>,
) {
  const old = await getCampaign(workspace_id, campaignId)
  const aliases = await db.mailbox.findMany({
    where: { workspace_id, mailbox_id: { in: old.alias_ids ?? [] } },
    select: { mailbox_id: true },
  })
  const row = await db.campaign.create({
    data: {
      workspace_id,
      user_id,
      dataset_id: old.dataset_id,
      name: name ?? copyName(old.name),
      description: old.description,
      type: old.type,
      daily_limit: old.daily_limit,
      sending_window_start: old.sending_window_start,
      sending_window_end: old.sending_window_end,
      sending_windows: old.sending_windows ? storableJson(old.sending_windows) : DbNull,
      holiday_country: old.holiday_country,
      holiday_region: old.holiday_region,
      min_interval_seconds: old.min_interval_seconds,
      timezone: old.timezone,
      schedule_timezone: old.schedule_timezone,
      send_days: old.send_days,
      steps_config: storableJson(old.steps_config),
      alias_ids: aliases.length > 0 ? aliases.map(({ mailbox_id }) => mailbox_id) : DbNull,
      connected_account_id: old.connected_account_id,
      sender_rotation: old.sender_rotation,
      match_providers: old.match_providers,
      system_prompt: old.system_prompt,
      stop_on_company_reply: old.stop_on_company_reply,
      skip_emails: old.skip_emails,
      unreviewed_launch_policy: old.unreviewed_launch_policy,
      bcc_address: old.bcc_address,
    },
  })
  return typedCampaign(row)
}
