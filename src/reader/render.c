/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From records to text. Payload lengths are checked against the record, ids against the tables; a
 * bad record is counted and left out, so that one bug does not end a session.
 */
#include "reader/render.h"

#include <string.h>

/*
 * The text of a record whose payload is a length and bytes. False when the length does not fit.
 */
static bool text_of(const struct stp_rec *rec, const char **text, stp_u32 *len)
{
	const unsigned char *payload = (const unsigned char *)(rec + 1);
	size_t room = rec->size - sizeof(*rec);

	if (room < sizeof(*len))
		return false;
	memcpy(len, payload, sizeof(*len));
	*text = (const char *)payload + sizeof(*len);
	return *len <= room - sizeof(*len);
}

static bool render_format(struct render *r, const struct stp_rec *rec)
{
	const unsigned char *payload = (const unsigned char *)(rec + 1);
	struct stp_fmt_args args = { .wire = payload,
				     .end = (const unsigned char *)rec + rec->size };

	if (rec->id >= r->tables->info->n_formats)
		return false;
	output_format(r->out, r->tables->formats[rec->id], args);
	return true;
}

static bool render_hist(struct render *r, const struct stp_rec *rec)
{
	const stp_u64 *payload = (const stp_u64 *)(rec + 1);
	const struct stp_hist_shape *shape;

	if (rec->id >= r->tables->info->n_hists)
		return false;
	shape = &r->tables->hists[rec->id];
	if (rec->size < sizeof(*rec) + (1 + shape->n_buckets) * sizeof(stp_u64))
		return false;
	output_hist(r->out, shape, payload + 1);
	return true;
}

static bool render_jit(struct render *r, const struct stp_rec *rec)
{
	struct stp_rec_jit jit;

	if (rec->size < sizeof(*rec) + sizeof(jit) || !r->perf_maps)
		return false;
	memcpy(&jit, rec + 1, sizeof(jit));
	perf_maps_write(r->perf_maps, &jit, rec->ts, r->out, r->messages);
	return true;
}

/* switch_file() of the script. Failure is reported, but the record was good. */
static bool render_switch(struct render *r)
{
	struct error *err = r->bulk ? bulk_switch(r->bulk) : output_switch(r->out);

	if (err) {
		messages_errorf(r->messages, "%s", err->text);
		error_destroy(err);
	}
	return true;
}

static bool render_text(struct render *r, const struct stp_rec *rec)
{
	const char *text;
	stp_u32 len;

	if (!text_of(rec, &text, &len))
		return false;
	if (rec->kind == STP_REC_TEXT) {
		output_write(r->out, text, len);
		return true;
	}
	/* what was printed before must be seen before */
	if (r->bulk)
		bulk_flush(r->bulk);
	else
		output_flush(r->out);
	if (rec->kind == STP_REC_ERROR)
		messages_error(r->messages, text, len);
	else if (rec->kind == STP_REC_WARNING)
		messages_warning(r->messages, text, len);
	else if (r->run)
		r->run(r->cookie, text, len);
	return true;
}

void render_record(void *cookie, const struct stp_rec *rec, int cpu)
{
	struct render *r = cookie;
	bool good = false;

	switch ((enum stp_rec_kind)rec->kind) {
	case STP_REC_FORMAT:
		good = render_format(r, rec);
		break;
	case STP_REC_HIST:
		good = render_hist(r, rec);
		break;
	case STP_REC_SWITCH:
		good = render_switch(r);
		break;
	case STP_REC_JIT:
		good = render_jit(r, rec);
		break;
	case STP_REC_TEXT:
	case STP_REC_ERROR:
	case STP_REC_WARNING:
	case STP_REC_SYSTEM:
		good = render_text(r, rec);
		break;
	case STP_REC_PAD:
		return;
	}
	r->n_damaged += !good;
	if (r->bulk)
		bulk_take(r->bulk, cpu);
}
