import {
  Award,
  BellPlus,
  Eye,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  ThumbsUp,
  UserMinus,
  UserPlus,
} from 'lucide-react'
import type { StepConfig } from '#lib/contracts/steps'

export type Kind = StepConfig['action_type']
type Look = { label: string; icon: LucideIcon; about: string }

/** Every kind of step that the API takes, in the order in which the menu offers them. */
export const KINDS: Record<Kind, Look> = {
  email: { label: 'E-mail', icon: Mail, about: 'From a mailbox of the campaign.' },
  visit_profile: { label: 'Profile visit', icon: Eye, about: 'The person sees who looked.' },
  connection_request: { label: 'Invitation', icon: UserPlus, about: 'To connect, with a note or without.' },
  message: { label: 'Message', icon: MessagesSquare, about: 'In the chat of the network.' },
  inmail: { label: 'InMail', icon: MessageSquareText, about: 'To strangers; paid accounts only.' },
  follow: { label: 'Follow', icon: BellPlus, about: 'Follows their profile.' },
  like_post: { label: 'Like a post', icon: ThumbsUp, about: 'Their newest one.' },
  comment_post: { label: 'Comment on a post', icon: MessageCircle, about: 'Below their newest one.' },
  endorse: { label: 'Endorsement', icon: Award, about: 'Of a skill of a connection.' },
  withdraw_invitation: {
    label: 'Withdraw the invitation',
    icon: UserMinus,
    about: 'Where it was not accepted.',
  },
}

export const KIND_LIST = Object.keys(KINDS) as Kind[]

export const CONDITIONS: { value: StepConfig['condition']; label: string; short: string | null }[] = [
  { value: 'always', label: 'Always', short: null },
  { value: 'opened', label: 'Only if a person has opened', short: 'if opened' },
  { value: 'not_opened', label: 'Only if nobody has opened', short: 'if not opened' },
  { value: 'clicked', label: 'Only if a person has clicked', short: 'if clicked' },
  { value: 'not_clicked', label: 'Only if nobody has clicked', short: 'if not clicked' },
  { value: 'connected', label: 'Only if connected', short: 'if connected' },
  { value: 'not_connected', label: 'Only if not connected', short: 'if not connected' },
]

export const NETWORKS: Record<string, string> = {
  linkedin: 'LinkedIn',
  whatsapp: 'WhatsApp',
  instagram: 'Instagram',
  telegram: 'Telegram',
  twitter: 'X',
}
