/**
 * The endpoints of the interface that this one was built to, by operation: their clients may send query parameters that
 * they do not know, and are answered as if these were not there. Everywhere else an unknown one is refused.
 */
export const DOCUMENTED: ReadonlySet<string> = new Set([
  'listApiKeys',
  'readCurrentUser',
  'agentChat',
  'sendSocialMessage',
  'listCampaigns',
  'listTemplates',
  'renameDataset',
  'createAuthLink',
  'createSenderProfile',
  'applyReferral',
  'listDatasets',
  'previewSpreadsheet',
  'pauseCampaign',
  'createSocialPost',
  'listSocialPosts',
  'readDomainSetup',
  'createPortalSession',
  'listConversations',
  'readDomain',
  'readNotificationPreferences',
  'listGenerations',
])
