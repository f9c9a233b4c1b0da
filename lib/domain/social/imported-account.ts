/** The prefix of a placeholder for a provider's account id, until somebody signs in to the account again. */
export const IMPORTED_ACCOUNT = 'imported:'

/** Whether the id is such a placeholder, unknown to any provider. */
export const isImportedAccount = (providerAccountId: string): boolean =>
  providerAccountId.startsWith(IMPORTED_ACCOUNT)
