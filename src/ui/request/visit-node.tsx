import { Check } from 'lucide-react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './visit-node.module.css'

/** none: ○ not entered. in: ◎ inside. out: ✓ left. */
export type NodeState = 'none' | 'in' | 'out'

/** The node of a visit on the day's rail. The marks give the same state in words. */
export function VisitNode({ state }: { state: NodeState }) {
  return (
    <span className={cx(styles.node, state !== 'none' && styles[state])} aria-hidden="true">
      {state === 'out' && <Icon as={Check} />}
    </span>
  )
}
