/** The board (板): the panel at the top of a request's screens, with its time, place and kind of work. */
import { useLingui } from '@lingui/react/macro'
import { Siren } from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useState } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import { usePane } from '#ui/layout/screen.tsx'
import styles from './board.module.css'
import tags from './tag.module.css'
import boardSkeletonStyles from './board-skeleton.module.css'
import { createValueStore } from '#lib/value-store.ts'

interface RequestHeadFacts {
  start: string
  end: string
  /** 種別 (修理 取替 工事 調査 保守) and the colour of its badge. */
  order: { tone: 'repair' | 'replace' | 'build' | 'survey' | 'maint'; label: string } | null
  emergency: boolean
  place: string
  code: string
}

interface RequestBoardProps {
  head: RequestHeadFacts
  date?: string | undefined
  compact?: boolean | undefined
  title?: string | undefined
  ref?: Ref<HTMLElement> | undefined
}

/** The board of a request. It contains no buttons and no sentences. */
export function RequestBoard({ head, date, compact, title, ref }: RequestBoardProps) {
  const { t } = useLingui()
  const { start, end, place, code } = head
  return (
    <BoardWrap>
      <section
        ref={ref}
        className={cx(styles.board, compact ? styles.compact : styles.large)}
        aria-label={t`依頼の概要`}
      >
        <p className={styles.time}>
          <time>{start || t`時刻未定`}</time>
          {end && <i>〜</i>}
          {end && <time>{end}</time>}
        </p>
        <p className={styles.tags}>
          <RequestTags {...head} />
        </p>
        <p className={styles.place}>
          {compact ? <span>{place}</span> : place}
          {compact && <small className="num">{code}</small>}
        </p>
        {!compact && (
          <div className={styles.meta}>
            <div className={styles.code}>
              {title !== undefined && <BoardTitle>{title}</BoardTitle>}
              <span>
                {t`依頼番号`} <b className="num">{code}</b>
              </span>
            </div>
            {date !== undefined && <b className="num">{date}</b>}
          </div>
        )}
      </section>
    </BoardWrap>
  )
}

/** A request's badges: 種別, and 緊出 for an emergency. */
export function RequestTags({ order, emergency }: Pick<RequestHeadFacts, 'order' | 'emergency'>) {
  const { t } = useLingui()
  return (
    <>
      {order && <span className={cx(tags.tag, tags[order.tone])}>{order.label}</span>}
      {emergency && (
        <span className={cx(tags.tag, tags.emergency)}>
          <Icon as={Siren} />
          {t`緊出`}
        </span>
      )}
    </>
  )
}

/** The h1 in the wide layout, on the board. It takes no focus, so that keyboard users stay on their row. */
const BoardTitle = ({ children }: { children: string }) =>
  usePane() === 'view' && <h1 className={styles.title}>{children}</h1>

/** The green background below the app bar. `search` makes it the search landmark. */
export function BoardWrap({ search, children }: { search?: boolean; children: ReactNode }) {
  const Ground = search ? 'search' : 'div'
  return (
    <Ground className={cx(styles.wrap, search && styles.flush)} data-board="">
      {children}
    </Ground>
  )
}

/** A placeholder with the height of RequestBoard, so that the content below does not move. */
export const BoardSkeleton = ({ compact, title }: { compact?: boolean; title?: string }) => (
  <BoardWrap>
    <div className={compact ? boardSkeletonStyles.compact : boardSkeletonStyles.large}>
      {title !== undefined && <BoardTitle>{title}</BoardTitle>}
    </div>
  </BoardWrap>
)

const BELOW_APP_BAR = '-60px 0px 0px'

/** `stuck` is true while RequestBoard (`ref`) is out of view. It is a store, so that only AppBar renders again. */
export function useStuck() {
  const [stuck] = useState(() => createValueStore(false))
  const ref = useCallback(
    (board: HTMLElement | null) => {
      if (!board || typeof IntersectionObserver === 'undefined') return undefined
      const observer = new IntersectionObserver(
        (entries) => stuck.set(entries.at(-1)?.isIntersecting === false),
        { rootMargin: BELOW_APP_BAR },
      )
      observer.observe(board)
      return () => observer.disconnect()
    },
    [stuck],
  )
  return { ref, stuck }
}
