import { BoardTitle, BoardWrap } from './request-board.tsx'
import styles from './board-skeleton.module.css'

interface BoardSkeletonProps {
  compact?: boolean
  /** The title of the board that replaces the placeholder. */
  title?: string
}

/** A placeholder as high as the board. It is shown while the request loads, so that nothing below moves. */
export function BoardSkeleton({ compact, title }: BoardSkeletonProps) {
  return (
    <BoardWrap>
      <div className={compact ? styles.compact : styles.large}>
        {title !== undefined && <BoardTitle>{title}</BoardTitle>}
      </div>
    </BoardWrap>
  )
}
