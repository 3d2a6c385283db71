import { BoardTitle, BoardWrap } from './board.tsx'
import styles from './board-skeleton.module.css'

interface BoardSkeletonProps {
  compact?: boolean
  /** Must match the board that follows (with AppBar `titleInBoard`). */
  title?: string
}

/** A placeholder with the height of the board, shown while the request loads, so that nothing below moves. */
export function BoardSkeleton({ compact, title }: BoardSkeletonProps) {
  return (
    <BoardWrap>
      <div className={compact ? styles.compact : styles.large}>
        {title !== undefined && <BoardTitle>{title}</BoardTitle>}
      </div>
    </BoardWrap>
  )
}
