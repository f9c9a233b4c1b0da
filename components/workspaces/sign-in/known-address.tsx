/** The address a password belongs to, for password managers only. */
export const KnownAddress = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" value={email} readOnly hidden />
)
