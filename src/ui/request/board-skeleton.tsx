import { BoardTitle, BoardWrap } from './request-board.tsx'
import styles from './board-skeleton.module.css'

interface BoardSkeletonProps {
  compact?: boolean
  title?: string
}

/**
 * A placeholder with the height of RequestBoard. Shown while the request loads, so that the content below does not
 * move.
 */
export function BoardSkeleton({ compact, title }: BoardSkeletonProps) {
  return (
    <BoardWrap>
      <div className={compact ? styles.compact : styles.large}>
        {title !== undefined && <BoardTitle>{title}</BoardTitle>}
      </div>
    </BoardWrap>
  )
}
