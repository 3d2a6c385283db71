import { BoardWrap } from './board.tsx'
import styles from './board-skeleton.module.css'

/** The board while its request is read: as high as the board, so that nothing below it moves. */
export function BoardSkeleton({ compact }: { compact?: boolean }) {
  return (
    <BoardWrap>
      <div className={compact ? styles.compact : styles.large} aria-hidden="true" />
    </BoardWrap>
  )
}
