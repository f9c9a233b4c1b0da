'use client'

import { Dialog } from '../overlays/dialog.tsx'

type Props = { reason: string; people: { name: string; email: string }[]; onClose: () => void }

/** Why the user may not do this, and who can. */
export const AskAdmin = ({ reason, people, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title="Ask an admin" description={reason}>
    <ul className="grid gap-2 text-sm">
      {people.map(({ name, email }) => (
        <li key={email} className="flex flex-wrap justify-between gap-x-4">
          <span>{name}</span>
          <a href={`mailto:${email}`} className="text-accent-text underline">
            {email}
          </a>
        </li>
      ))}
    </ul>
  </Dialog>
)
