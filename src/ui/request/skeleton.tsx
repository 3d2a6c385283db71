import { cx } from '#ui/base/icon.tsx'
import { Loading } from '#ui/feedback/long-wait.tsx'
import { VisitNode } from './visit-row.tsx'
import nodes from './visit-node.module.css'
import styles from './skeleton.module.css'

const visits = ['first', 'second', 'third', 'last']
const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** Placeholder for a day's visits, shown after 200 ms. */
export const ListSkeleton = () => (
  <div className={styles.late}>
    <Loading />
    <div aria-hidden="true">
      <div className={styles.day}>
        <span className={cx(styles.bone, styles.date)} />
      </div>
      {visits.map((key) => (
        <div key={key} className={styles.visit}>
          <span className={styles.time}>
            <span className={cx(styles.bone, styles.start)} />
            <span className={cx(styles.bone, styles.end)} />
          </span>
          <span className={nodes.rail} data-edge={key}>
            <VisitNode state="none" />
          </span>
          <span className={styles.body}>
            <span className={cx(styles.bone, styles.tag)} />
            <span className={cx(styles.bone, styles.place)} />
            <span className={cx(styles.bone, styles.customer)} />
            <span className={cx(styles.bone, styles.marks)} />
          </span>
        </div>
      ))}
    </div>
  </div>
)

/** Placeholder for the rows of a record, shown after 200 ms. */
export const ViewSkeleton = () => (
  <div className={styles.late}>
    <Loading />
    <div className={styles.rows} aria-hidden="true">
      {rows.map((key) => (
        <div key={key} className={styles.row}>
          <span className={cx(styles.bone, styles.label)} />
          <span className={cx(styles.bone, styles.value)} />
        </div>
      ))}
    </div>
  </div>
)
