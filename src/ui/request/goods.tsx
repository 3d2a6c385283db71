import { useLingui } from '@lingui/react/macro'
import styles from './goods.module.css'

export interface GoodsItem {
  key: string
  name: string
  /** The model name (型式). */
  model?: string | null | undefined
  quantity: string | number
}

/** A unit of 商品 with its parts. */
export function GoodsTable({ heading, items }: { heading: string; items: readonly GoodsItem[] }) {
  const { t } = useLingui()
  return (
    <div className={styles.goods}>
      <h3>{heading}</h3>
      {items.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t`品名・型式`}</th>
              <th scope="col" className={styles.quantity}>{t`数量`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.key}>
                <td>
                  {item.name}
                  {item.model && <small className="num">{item.model}</small>}
                </td>
                <td className={`${styles.quantity} num`}>{item.quantity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
