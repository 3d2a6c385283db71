import { Check } from 'lucide-react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './visit-node.module.css'

/** `none`: ○, not entered. `in`: ◎, inside. `out`: ✓, left. */
export type NodeState = 'none' | 'in' | 'out'

/** A visit's state as a sign on the vertical line of its day. The marks in the row say the same in words. */
export function VisitNode({ state }: { state: NodeState }) {
  return (
    <span className={cx(styles.node, state !== 'none' && styles[state])} aria-hidden="true">
      {state === 'out' && <Icon as={Check} />}
    </span>
  )
}
