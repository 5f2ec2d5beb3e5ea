"""The journal in a PostgreSQL database; psycopg is imported here alone, and only where a journal is in one."""
