import { Check } from 'lucide-react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './visit-node.module.css'

/** ○ not entered, ◎ inside, ✓ left. */
export type NodeState = 'none' | 'in' | 'out'

/** The node on the rail of a day. The marks say the same in words. */
export function VisitNode({ state }: { state: NodeState }) {
  return (
    <span className={cx(styles.node, state !== 'none' && styles[state])} aria-hidden="true">
      {state === 'out' && <Icon as={Check} />}
    </span>
  )
}
