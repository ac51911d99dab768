import type { Field, Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import type { Dataset } from './dataset.js'
import type { Engine } from './engine.js'
import { Pool } from './pool.js'
import { Sequence } from './sequence.js'
import { Writer } from './writer.js'

/** Inserts that run at once, over all datasets; each keeps a processor busy. */
const INSERTS = 4

/** The datasets there are, each with what stores its events. */
export class Shelf implements Schema {
  private readonly known: Map<string, Dataset>
  private readonly writers = new Map<string, Writer>()
  private readonly engine: Engine
  private readonly sequence: Sequence
  private readonly slots = new Pool<object>(INSERTS, async () => ({}))

  constructor(options: { engine: Engine; datasets: Map<string, Dataset>; now(): bigint }) {
    this.engine = options.engine
    this.known = options.datasets
    this.sequence = new Sequence(options.now)
  }

  get datasets(): readonly string[] {
    return [...this.known.keys()].sort()
  }

  fields(dataset: string): readonly Field[] | undefined {
    return this.known.get(dataset)?.fields
  }

  layout(dataset: string): Layout | undefined {
    return this.known.get(dataset)?.layout
  }

  writer(dataset: string): Writer {
    const writer =
      this.writers.get(dataset) ??
      new Writer({
        target: {
          name: dataset,
          engine: this.engine,
          current: () => this.known.get(dataset),
          changed: (value) => this.known.set(dataset, value),
        },
        sequence: this.sequence,
        slots: this.slots,
      })
    this.writers.set(dataset, writer)
    return writer
  }

  /** Resolves when nothing is being stored any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.writers.values()].map((writer) => writer.settled()))
  }
}
