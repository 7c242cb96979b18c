"""What a project is made of beside Python: read into facts, which rules speak about."""
