import { BoardTitle, BoardWrap } from './board.tsx'
import styles from './board-skeleton.module.css'

interface BoardSkeletonProps {
  compact?: boolean
  /** As on the board that comes: with AppBar `titleInBoard`. */
  title?: string
}

/** The board while its request is read: as high as the board, so that nothing below it moves. */
export function BoardSkeleton({ compact, title }: BoardSkeletonProps) {
  return (
    <BoardWrap>
      <div className={compact ? styles.compact : styles.large}>
        {title !== undefined && <BoardTitle>{title}</BoardTitle>}
      </div>
    </BoardWrap>
  )
}
