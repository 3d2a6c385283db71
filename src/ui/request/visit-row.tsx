import { useLingui } from '@lingui/react/macro'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx, Icon, wrapper } from '#ui/base/icon.tsx'
import day from './day.module.css'
import checkbox from '#ui/controls/checkbox.module.css'
import nodes from './visit-node.module.css'
import styles from './visit-row.module.css'
import { Check } from 'lucide-react'

/** A day's visits. Children are li elements, each with one VisitLink or VisitPick. */
export const DayList = wrapper('ul', day.list)

/** `none`: ○, not entered. `in`: ◎, inside. `out`: ✓, left. */
export type NodeState = 'none' | 'in' | 'out'

/** A visit's state as a sign on the vertical line of its day. The marks in the row say the same in words. */
export const VisitNode = ({ state }: { state: NodeState }) => (
  <span className={cx(nodes.node, state !== 'none' && nodes[state])} aria-hidden="true">
    {state === 'out' && <Icon as={Check} />}
  </span>
)

/** Position of a row in its day. The day's vertical line begins at the first row and ends at the last. */
export type RowEdge = 'first' | 'last' | 'only'

/** Returns the position of row `index` of `count`; undefined for a row in the middle. */
export function rowEdge(index: number, count: number): RowEdge | undefined {
  if (count === 1) return 'only'
  if (index === 0) return 'first'
  return index === count - 1 ? 'last' : undefined
}

interface VisitFacts {
  start: string
  end?: string | undefined
  tags?: ReactNode
  code: string
  place: string
  customer?: string | undefined
  marks?: ReactNode
  aside?: ReactNode
}

interface VisitRowProps extends VisitFacts {
  node: NodeState
  now?: boolean | undefined
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
      className={cx(styles.visit, now && styles.now, 'ring-in', anchor.className)}
      aria-current={current ? 'true' : undefined}
    >
      <VisitTime start={start} end={end} aside={aside} />
      <span className={nodes.rail} data-edge={edge}>
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
  disabled?: boolean | undefined
  onChange: (on: boolean) => void
}

/** A visit with a checkbox. The checkbox's name is 選択 and the request code. */
export function VisitPick({ checked, disabled, onChange, start, end, ...body }: VisitPickProps) {
  const { t } = useLingui()
  const { code } = body
  return (
    <label className={cx(styles.visit, styles.pickable, 'ring-label')}>
      <VisitTime start={start} end={end} />
      <span className={styles.pick}>
        <input
          className={checkbox.box}
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

const VisitTime = ({ start, end, aside }: Pick<VisitFacts, 'start' | 'end' | 'aside'>) => (
  <span className={`${styles.time} num`}>
    <b>{start}</b>
    {end !== undefined && <span>〜{end}</span>}
    {aside}
  </span>
)

function VisitBody(props: Omit<VisitFacts, 'start' | 'end' | 'aside'> & { heading?: boolean }) {
  const { heading, tags, code, place, customer, marks } = props
  const Place = heading ? 'h3' : 'span'
  return (
    <span className={styles.body}>
      <span className={styles.top}>
        <span className={styles.tags}>{tags}</span>
        <span className={`${styles.code} num`}>{code}</span>
      </span>
      <Place className={styles.place}>{place}</Place>
      {customer !== undefined && <span className={styles.customer}>{customer}</span>}
      {marks && <span className={styles.marks}>{marks}</span>}
    </span>
  )
}
