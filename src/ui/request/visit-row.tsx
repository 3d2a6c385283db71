import { useLingui } from '@lingui/react/macro'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { cx } from '#ui/base/cx.ts'
import { type VisitFacts, VisitBody, VisitTime } from './visit-parts.tsx'
import { type NodeState, VisitNode } from './visit-node.tsx'
import styles from './visit-row.module.css'

/** Position of a row in its day. The rail begins at the first and ends at the last. */
export type RowEdge = 'first' | 'last' | 'only'

/** Returns the edge of row `index` of `count`; undefined in the middle. */
export function rowEdge(index: number, count: number): RowEdge | undefined {
  if (count === 1) return 'only'
  if (index === 0) return 'first'
  return index === count - 1 ? 'last' : undefined
}

interface VisitRowProps extends VisitFacts {
  node: NodeState
  /** True if the user is inside at this visit. */
  now?: boolean | undefined
  /** True if this visit is shown in the view pane. */
  current?: boolean | undefined
  edge?: RowEdge | undefined
}

function VisitAnchor(
  props: VisitRowProps & Omit<ComponentPropsWithRef<'a'>, keyof VisitRowProps | 'children'>,
) {
  const { node, now, current, edge, start, end, tags, code, place, customer, marks, aside, ...anchor } = props
  return (
    <a
      {...anchor}
      className={cx(styles.visit, now && styles.now, anchor.className)}
      data-edge={edge}
      aria-current={current ? 'true' : undefined}
    >
      <VisitTime start={start} end={end} aside={aside} />
      <span className={styles.rail}>
        <VisitNode state={node} />
      </span>
      <VisitBody heading tags={tags} code={code} place={place} customer={customer} marks={marks} />
    </a>
  )
}

/** A visit as a link. Its accessible name starts with the time and includes place and code. */
export const VisitLink = createLink(VisitAnchor)

interface VisitPickProps extends VisitFacts {
  checked: boolean
  /** The reason is in `marks`. */
  disabled?: boolean | undefined
  onChange: (on: boolean) => void
}

/** A visit with a checkbox. The checkbox is named 選択 plus the request code. */
export function VisitPick({ checked, disabled, onChange, start, end, ...body }: VisitPickProps) {
  const { t } = useLingui()
  const { code } = body
  return (
    <label className={cx(styles.visit, styles.pickable)}>
      <VisitTime start={start} end={end} />
      <span className={styles.rail}>
        <input
          className={styles.pick}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-label={t`選択 ${code}`}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </span>
      <VisitBody {...body} />
    </label>
  )
}
