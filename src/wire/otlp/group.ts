import type { Steps } from '../steps/steps.js'
import { AttributeWriter } from './attribute.js'
import { member } from './member-name.js'
import { memberWriters, writeField, writeMembers } from './member-writer.js'
import { RESOURCE, RESOURCE_LOGS, SCOPE, SCOPE_LOGS } from './messages.js'
import { NdjsonWriter } from './ndjson-writer.js'
import type { PartReader } from './part.js'

// The groups of spans have the same fields as the groups of log records.
const RESOURCE_GROUP_FIELDS = memberWriters(RESOURCE_LOGS, 'resource.')
const RESOURCE_FIELDS = memberWriters(RESOURCE, 'resource.')
const SCOPE_GROUP_FIELDS = memberWriters(SCOPE_LOGS, 'scope.')
const SCOPE_MEMBERS = {
  fields: memberWriters(SCOPE, 'scope.'),
  tag: 0x1a,
  attributes: member('scope.attributes'),
}

/** Writes the members that all events of a resource and a scope share. */
export class GroupWriter {
  private readonly writer = new NdjsonWriter(4096)
  private readonly resource = new AttributeWriter('resource')
  private resourceLength = 0

  /** The members, each after a comma; valid until the next call of a method. */
  get members(): Buffer {
    return this.writer.written
  }

  /** Writes the members of a `ResourceLogs` or a `ResourceSpans`, the current message. */
  *beginResource(reader: PartReader): Steps<void> {
    this.writer.clear()
    this.resource.reset()
    yield* reader.scanInSteps(() => {
      if (reader.tag !== 0x0a) return writeField(RESOURCE_GROUP_FIELDS, reader, this.writer)
      this.writeResource(reader)
      return true
    })
    this.resource.end(this.writer)
    this.resourceLength = this.writer.size
  }

  /** Writes the members of a `ScopeLogs` or a `ScopeSpans`, the current message, in place of the members of the previous scope. */
  *beginScope(reader: PartReader): Steps<void> {
    this.writer.size = this.resourceLength
    yield* reader.scanInSteps(() => {
      if (reader.tag !== 0x0a) return writeField(SCOPE_GROUP_FIELDS, reader, this.writer)
      this.writeScope(reader)
      return true
    })
  }

  private writeResource(reader: PartReader): void {
    const outer = reader.enterPart()
    while (reader.next()) {
      if (reader.tag === 0x0a) this.resource.write(reader, this.writer)
      else if (!writeField(RESOURCE_FIELDS, reader, this.writer)) reader.skip()
    }
    reader.leave(outer)
  }

  private writeScope(reader: PartReader): void {
    const outer = reader.enterPart()
    writeMembers(reader, this.writer, SCOPE_MEMBERS)
    reader.leave(outer)
  }
}
