import { db } from '#lib/db/client'

/** Every row of the owner that an edit could change. */
export async function everythingOf({ workspace_id, user_id }: { workspace_id: string; user_id: string }) {
  const where = { workspace_id }
  return {
    user: await db.user.findUnique({ where: { user_id } }),
    workspace: await db.workspace.findUnique({ where }),
    campaigns: await db.campaign.findMany({ where }),
    events: await db.campaignEvent.count({ where: { campaign: where } }),
    keys: await db.apiKey.findMany({ where }),
    accounts: await db.connectedAccount.findMany({ where }),
    conversations: await db.conversation.findMany({ where }),
    datasets: await db.dataset.findMany({ where }),
    rows: await db.datasetRow.findMany({ where }),
    domains: await db.mailDomain.findMany({ where }),
    generations: await db.generation.findMany({ where }),
    labels: await db.inboxLabel.findMany({ where }),
    members: await db.member.findMany({ where }),
    mailboxes: await db.mailbox.findMany({ where }),
    preferences: await db.notificationPreferences.findMany({ where }),
    profiles: await db.senderProfile.findMany({ where }),
    passkeys: await db.passkey.findMany({ where: { user_id } }),
    people: await db.person.findMany({ where }),
    posts: await db.socialPost.findMany({ where }),
    templates: await db.template.findMany({ where }),
    threads: await db.thread.findMany({ where }),
    webhooks: await db.webhook.findMany({ where }),
  }
}
