import { Badge } from '#components/ui/feedback/badge'
import { type LabelColors, labelText } from './looks.tsx'

export function LabelBadges({ labels, colors }: { labels: string[]; colors: LabelColors }) {
  return labels.map((label) => (
    <Badge key={label} tone={colors[label] ?? 'neutral'}>
      <span className="first-letter:uppercase">{labelText(label)}</span>
    </Badge>
  ))
}
