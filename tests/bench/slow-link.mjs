/** A mobile connection in front of a server of this machine: all connections share its bandwidth, and each way takes its time. */
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A piece is sent whole: what else waits gets its turn after it. */
const PIECE = 4_096

const until = (at) => sleep(Math.max(0, at - performance.now()))

/**
 * @param port of the server behind it
 * @param options.bytesPerSecond downwards
 * @param options.latencyMs there and back
 */
export function startSlowLink(port, { bytesPerSecond, latencyMs }) {
  let freeAt = 0
  let carried = 0
  const oneWay = latencyMs / 2
  const server = createServer((phone) => {
    const host = connect(port, 'localhost')
    // the handshake of the connection takes a way there and back
    let up = sleep(latencyMs)
    let sent = Promise.resolve()
    let down = Promise.resolve()
    phone.on('data', (data) => {
      const at = performance.now() + oneWay
      up = up.then(() => until(at)).then(() => void (host.writable && host.write(data)))
    })
    const send = (piece) => {
      const at = performance.now() + oneWay
      down = down.then(() => until(at)).then(() => void (phone.writable && phone.write(piece)))
    }
    host.on('data', (data) => {
      carried += data.length
      for (let from = 0; from < data.length; from += PIECE) {
        const piece = data.subarray(from, from + PIECE)
        sent = sent
          .then(() => {
            freeAt = Math.max(freeAt, performance.now()) + (piece.length / bytesPerSecond) * 1_000
            return until(freeAt)
          })
          .then(() => send(piece))
      }
    })
    host.on('end', () => void sent.then(() => down).then(() => phone.end()))
    phone.on('end', () => void up.then(() => host.end()))
    phone.on('error', () => host.destroy())
    host.on('error', () => phone.destroy())
  })
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () =>
      resolve({
        port: server.address().port,
        carried: () => carried,
        close: () => server.close(),
      }),
    )
  })
}
