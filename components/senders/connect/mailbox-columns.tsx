import { MAILBOX_COLUMNS } from '#lib/domain/domains/mailbox-table'

const others = MAILBOX_COLUMNS.filter((column) => column !== 'address' && column !== 'password').join(', ')

/** The column names that the first row may contain. */
export const MailboxColumns = () => (
  <div className="grid gap-1 text-sm text-muted">
    <p>
      <code>address</code> and <code>password</code> are enough for most: servers are looked up as for one
      mailbox. Other columns: {others}.
    </p>
    <p>Passwords are encrypted and never appear in reports. Delete the file afterwards.</p>
  </div>
)
